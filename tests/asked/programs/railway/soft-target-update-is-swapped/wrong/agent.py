from functools import partial
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import struct


class Critic(nn.Module):
    hidden: int

    @nn.compact
    def __call__(self, state, action):
        x = jnp.concatenate([state, action], axis=-1)
        x = nn.relu(nn.Dense(self.hidden)(x))
        x = nn.relu(nn.Dense(self.hidden)(x))
        return nn.Dense(1)(x)[..., 0]


@struct.dataclass
class CriticState:
    params: Any
    target: Any
    opt_state: Any


def init_state(key, config):
    init = jax.jit(Critic(config.hidden).init)
    params = init(key, jnp.zeros((1, 3)), jnp.zeros((1, 1)))
    return CriticState(params, params, optax.adam(config.learning_rate).init(params))


@partial(jax.jit, static_argnames="config")
def learn(state, batch, config):
    critic = Critic(config.hidden)
    optimizer = optax.adam(config.learning_rate)
    next_q = critic.apply(state.target, batch["next"], -jnp.tanh(batch["next"][:, :1]))
    target_q = batch["reward"] + config.gamma * next_q

    def loss_fn(params):
        q = critic.apply(params, batch["state"], batch["action"])
        return jnp.mean((q - target_q) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    updates, opt_state = optimizer.update(grads, state.opt_state)
    params = optax.apply_updates(state.params, updates)
    target = optax.incremental_update(state.target, params, config.tau)  # mistake
    return CriticState(params, target, opt_state), loss
