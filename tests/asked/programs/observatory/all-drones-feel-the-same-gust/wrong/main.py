from functools import partial

import jax
import jax.numpy as jnp

import drone

N_ENVS = 64


def pd_controller(gains, state):
    target = jnp.array([1.0, -0.5])
    return gains["p"] * (target - state.position) - gains["d"] * state.velocity


@partial(jax.jit, static_argnames="horizon")
def rollout(key, gains, horizon):
    start = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (N_ENVS, *leaf.shape)), drone.reset())

    def body(states, key):
        commands = jax.vmap(pd_controller, in_axes=(None, 0))(gains, states)
        states, rewards = drone.batched_step(key, states, commands)  # mistake
        return states, rewards

    final, rewards = jax.lax.scan(body, start, jax.random.split(key, horizon))
    return final, rewards.sum(axis=0)


if __name__ == "__main__":
    final, returns = rollout(jax.random.key(3), {"p": 2.0, "d": 1.5}, horizon=120)
    print("mean return %.3f" % returns.mean())
    print("spread of returns %.4f" % returns.std())
    print("spread of final positions", final.position.std(axis=0).round(4))
