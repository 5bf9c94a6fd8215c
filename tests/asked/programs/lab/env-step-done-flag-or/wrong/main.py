import jax
import jax.numpy as jnp

from env import MountainCar

HORIZON = 250


def policy(gain, obs):
    return jnp.tanh(gain * obs[1])


def rollout(env, gain, key):
    state = env.reset(key)

    def body(carry, _):
        state, obs, alive = carry
        action = policy(gain, obs)
        state, obs, reward, done = env.step(state, action)
        total = reward * alive
        alive = alive * (1.0 - done)
        return (state, obs, alive), total

    init = (state, env.observe(state), jnp.ones(()))
    _, rewards = jax.lax.scan(body, init, None, length=HORIZON)
    return rewards.sum()


def main():
    env = MountainCar()
    evaluate = jax.jit(jax.vmap(lambda gain, key: rollout(env, gain, key)))
    gains = jnp.linspace(0.0, 200.0, 8)
    keys = jax.random.split(jax.random.key(3), gains.shape[0])
    returns = evaluate(gains, keys)
    best = int(jnp.argmax(returns))
    print("returns", [round(float(r), 2) for r in returns])
    print("best gain", float(gains[best]))


if __name__ == "__main__":
    main()
