"""Steer eight gliders at once."""
import jax
import jax.numpy as jnp

import windy

ENVIRONMENTS = 8


@jax.jit
def simulate(key):
    key, key_reset = jax.random.split(key)
    states = jax.vmap(windy.reset)(jax.random.split(key_reset, ENVIRONMENTS))

    def one_step(carry, _):
        key, states = carry
        key, key_step = jax.random.split(key)
        keys = jax.random.split(key_step, ENVIRONMENTS)
        states, rewards = jax.vmap(windy.step)(keys, states, -states)
        return (key, states), rewards

    _, rewards = jax.lax.scan(one_step, (key, states), None, length=30)
    return rewards.sum(0)


def main():
    returns = simulate(jax.random.key(4))
    print(returns.shape, bool(jnp.all(returns < 0)))


if __name__ == "__main__":
    main()
