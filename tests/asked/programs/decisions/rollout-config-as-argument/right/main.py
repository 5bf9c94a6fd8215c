from functools import partial

import jax
import jax.numpy as jnp

from config import NetConfig, RolloutConfig

ACTIVATIONS = {"tanh": jnp.tanh, "relu": jax.nn.relu}


def init_net(key, in_dim, out_dim, net: NetConfig):
    sizes = (in_dim, *net.hidden, out_dim)
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(k, (m, n)) / jnp.sqrt(m), "b": jnp.zeros(n)}
        for k, m, n in zip(keys, sizes[:-1], sizes[1:])
    ]


@partial(jax.jit, static_argnames="net")
def apply_net(params, x, net: NetConfig):
    act = ACTIVATIONS[net.activation]
    for layer in params[:-1]:
        x = act(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def pendulum_step(state, torque):
    theta, omega = state[..., 0], state[..., 1]
    omega = omega + 0.05 * (15.0 * jnp.sin(theta) + 3.0 * torque)
    theta = theta + 0.05 * omega
    return jnp.stack([theta, omega], axis=-1), -(theta**2 + 0.1 * omega**2)


@partial(jax.jit, static_argnums=(2,))
def discounted_returns(params, key, config: RolloutConfig):
    start = 0.1 * jax.random.normal(key, (config.num_envs, 2))

    def step(state, t):
        torque = jnp.tanh(apply_net(params, state, config.net)[:, 0])
        state, reward = pendulum_step(state, 2.0 * torque)
        return state, config.gamma**t * reward

    _, rewards = jax.lax.scan(step, start, jnp.arange(config.num_steps))
    return rewards.sum(axis=0)


def main():
    config = RolloutConfig(num_steps=8)
    k_net, k_roll = jax.random.split(jax.random.key(0))
    params = init_net(k_net, 2, 1, config.net)
    returns = discounted_returns(params, k_roll, config)
    print(f"{config.num_envs} envs, mean return {returns.mean():.4f}")


if __name__ == "__main__":
    main()
