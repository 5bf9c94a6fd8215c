"""Overdamped Langevin dynamics of beads on a chain."""
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax


class Chain:
    def __init__(self, n_beads: int, spring: float, temperature: float):
        self.n_beads = n_beads
        self.spring = spring
        self.temperature = temperature

    def energy(self, positions):
        bonds = jnp.diff(positions, axis=0)
        length = jnp.sqrt(jnp.sum(bonds**2, axis=-1) + 1e-6)
        return 0.5 * self.spring * jnp.sum((length - 1.0) ** 2)

    def force(self, positions):
        bonds = jnp.diff(positions, axis=0)
        length = jnp.sqrt(jnp.sum(bonds**2, axis=-1, keepdims=True) + 1e-6)
        tension = self.spring * (length - 1.0) * bonds / length
        return jnp.pad(tension, ((0, 1), (0, 0))) - jnp.pad(tension, ((1, 0), (0, 0)))

    def straight(self):
        """Beads on the x axis, one unit apart."""
        x = jnp.arange(self.n_beads)  # mistake
        return jnp.stack([x, jnp.zeros_like(x)], axis=-1)


def end_to_end(positions):
    return jnp.linalg.norm(positions[-1] - positions[0])


@partial(jax.jit, static_argnames=("chain", "steps"))
def sample(chain: Chain, start, key, dt, steps):
    noise_scale = jnp.sqrt(2.0 * chain.temperature * dt)

    def step(carry, key):
        positions, count = carry
        kick = noise_scale * jax.random.normal(key, positions.shape)
        positions = positions + dt * chain.force(positions) + kick
        return (positions, count + 1), end_to_end(positions)

    def run(start, key):
        return lax.scan(step, (start, 0), jax.random.split(key, steps))  # mistake

    (positions, count), distances = run(start, key)
    return positions, count, distances


def main():
    chain = Chain(n_beads=8, spring=50.0, temperature=0.5)
    start = chain.straight()
    print(f"initial length {float(end_to_end(start)):.1f}")
    positions, count, distances = sample(chain, start, jax.random.key(6), dt=0.002, steps=500)
    print("steps", int(count), "samples", distances.shape)
    print("shrinks:", bool(distances[-100:].mean() < 7.0))
    print(f"cools down: {bool(chain.energy(positions) < 20.0)}")


if __name__ == "__main__":
    main()
