"""Recurrent value function over partially observed episodes."""
from typing import NamedTuple

import haiku as hk
import jax
import jax.numpy as jnp
import optax


class Episode(NamedTuple):
    obs: jax.Array
    reset: jax.Array
    returns: jax.Array


class ValueNet(hk.Module):
    def __init__(self, hidden: int, name=None):
        super().__init__(name=name)
        self.hidden = hidden

    def __call__(self, episode: Episode):
        core = hk.GRU(self.hidden)
        encode = hk.Sequential([hk.Linear(self.hidden), jnp.tanh])
        start = core.initial_state(None)

        def step(state, inputs):
            feature, reset = inputs
            state = jnp.where(reset, start, state)
            output, state = core(feature, state)
            return state, output

        features = encode(episode.obs)
        _, outputs = jax.lax.scan(step, start, (features, episode.reset))  # mistake
        return hk.Linear(1)(outputs)[:, 0]


def discounted(rewards, gamma):
    def step(acc, r):
        acc = r + gamma * acc
        return acc, acc

    return jax.lax.scan(step, 0.0, rewards, reverse=True)[1]


def make_episode(key, length=12):
    k_obs, k_reset = jax.random.split(key)
    obs = jax.random.normal(k_obs, (length, 3))
    reset = jax.random.bernoulli(k_reset, 0.2, (length,))
    return Episode(obs, reset, discounted(jnp.tanh(obs[:, 0]), 0.9))


def main():
    net = hk.without_apply_rng(hk.transform(lambda ep: ValueNet(8)(ep)))
    episode = make_episode(jax.random.PRNGKey(1))
    params = jax.jit(net.init)(jax.random.PRNGKey(0), episode)
    optimizer = optax.sgd(1e-1)
    opt_state = optimizer.init(params)

    @jax.jit
    def update(params, opt_state, episode):
        def loss_fn(p):
            return jnp.mean((net.apply(p, episode) - episode.returns) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(10):
        params, opt_state, loss = update(params, opt_state, episode)
    print(f"loss {loss:.4f} with {hk.data_structures.tree_size(params)} parameters")


if __name__ == "__main__":
    main()
