"""Plans of a furnace."""

from functools import partial

import jax
import jax.numpy as jnp


class Planner:
    def __init__(self, target, weight=0.1, horizon=8):
        self.target = target
        self.weight = weight
        self.horizon = horizon

    def cool(self, temperature, heating):
        return temperature + 0.2 * (20.0 - temperature) + heating

    def run(self, temperature, plan):
        path = []
        for heating in plan:
            temperature = self.cool(temperature, heating)
            path.append(temperature)
        return jnp.stack(path)

    @partial(jax.jit, static_argnums=0)  # mistake
    def cost(self, plan, temperature):
        path = self.run(temperature, plan)
        return jnp.mean((path - self.target) ** 2) + self.weight * jnp.mean(plan**2)  # mistake

    @partial(jax.jit, static_argnums=0)  # mistake
    def improve(self, plan, temperature):
        return plan - 0.5 * jax.grad(lambda p: self.cost(p, temperature))(plan)

    def plan(self, temperature, steps=150):
        plan = jnp.zeros(self.horizon)
        for _ in range(steps):
            plan = self.improve(plan, temperature)
        return plan
