import jax
import jax.numpy as jnp

from lander import Lander


def controller(gains, state):
    target = -jnp.sqrt(jnp.maximum(0.8 * state.height, 0.0)) * gains[0]
    return gains[1] * (target - state.velocity) + 1.6


def episode_return(gains, key, env, horizon=150):
    def body(state, _):
        state, reward = env.step(state, controller(gains, state))
        return state, reward

    final, rewards = jax.lax.scan(body, env.reset(key), None, length=horizon)
    return rewards.sum(), final.height


def main():
    env = Lander()
    candidates = jnp.array([[0.5, 1.0], [0.9, 2.0], [1.0, 4.0]])
    keys = jax.random.split(jax.random.key(11), 16)
    evaluate = jax.jit(jax.vmap(jax.vmap(lambda g, k: episode_return(g, k, env), (None, 0)), (0, None)))
    returns, heights = evaluate(candidates, keys)
    for gains, ret, h in zip(candidates, returns.mean(1), heights.mean(1)):
        print(f"gains {gains} return {ret:.2f} final height {h:.2f}")


if __name__ == "__main__":
    main()
