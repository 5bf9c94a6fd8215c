import jax
import jax.numpy as jnp

from crossing import Crossing, CrossingParams


def main():
    env, params = Crossing(), CrossingParams()
    keys = jax.random.split(jax.random.key(3), 6)
    states = jax.vmap(env.reset, in_axes=(0, None))(keys, params)
    step = jax.jit(jax.vmap(env.step, in_axes=(0, 0, None)))

    returns = jnp.zeros(6)
    alive = jnp.ones(6, bool)
    for _ in range(6):
        actions = jnp.ones(6, jnp.int32)
        states, reward, done = step(states, actions, params)
        returns = returns + jnp.where(alive, reward, 0.0)
        alive = alive & ~done
    print("returns", returns.tolist())
    if bool(alive.any()):
        print("some frogs are still on the road")


if __name__ == "__main__":
    main()
