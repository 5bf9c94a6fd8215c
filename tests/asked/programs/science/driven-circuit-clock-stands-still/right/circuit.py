import math
from functools import partial

import jax
import jax.numpy as jnp


class SineSource:
    def __init__(self, amplitude, frequency):
        self.amplitude = amplitude
        self.omega = 2 * math.pi * frequency

    def voltage(self, t):
        return self.amplitude * jnp.sin(self.omega * t)


class RLCCircuit:
    """State is (charge, current); advanced with the midpoint rule."""

    def __init__(self, resistance, inductance, capacitance, source, dt):
        self.resistance = resistance
        self.inductance = inductance
        self.capacitance = capacitance
        self.source = source
        self.dt = dt
        self.t = 0.0

    def derivative(self, state, t):
        charge, current = state
        drop = self.resistance * current + charge / self.capacitance
        return jnp.stack([current, (self.source.voltage(t) - drop) / self.inductance])

    @partial(jax.jit, static_argnums=0)
    def _advance(self, state, t):
        half = state + 0.5 * self.dt * self.derivative(state, t)
        return state + self.dt * self.derivative(half, t + 0.5 * self.dt)

    def step(self, state):
        new = self._advance(state, self.t)
        self.t += self.dt
        return new
