"""Exploration noise."""
import jax


def ornstein_uhlenbeck(key, steps, actions, pull=0.15, scale=0.2):
    shocks = scale * jax.random.normal(key, steps, actions)  # mistake

    def step(level, shock):
        level = level - pull * level + shock
        return level, level

    return jax.lax.scan(step, 0.0 * shocks[0], shocks)[1]
