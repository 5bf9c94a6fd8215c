"""Find the force that brings a mass to its target."""
import jax
import jax.numpy as jnp

from rollout import roll_out


def miss(force, start, target, steps):
    return jnp.sum((roll_out(force, start, steps) - target) ** 2)


def aim(start, target, steps, rounds=20):
    force = jnp.zeros_like(start)
    for _ in range(rounds):
        force = force - 0.3 * jax.grad(miss)(force, start, target, steps)
    return force


if __name__ == "__main__":
    start, target = jnp.zeros(2), jnp.array([1.0, -0.5])
    force = aim(start, target, 15)
    before = miss(jnp.zeros(2), start, target, 15)
    print("closer", bool(miss(force, start, target, 15) < before))
