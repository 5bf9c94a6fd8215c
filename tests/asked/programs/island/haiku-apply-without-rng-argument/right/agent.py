from functools import partial
from typing import Any, NamedTuple

import haiku as hk
import jax
import jax.numpy as jnp
import optax


class LearnerState(NamedTuple):
    params: hk.Params
    opt_state: Any
    baseline: jax.Array


class ReinforceAgent:
    def __init__(self, obs_dim: int, num_actions: int, optimizer: optax.GradientTransformation):
        self.obs_dim = obs_dim
        self.optimizer = optimizer

        def policy(obs):
            return hk.nets.MLP([32, num_actions])(obs)

        self.net = hk.transform(policy)

    def init(self, key) -> LearnerState:
        params = self.net.init(key, jnp.zeros((1, self.obs_dim)))
        return LearnerState(params, self.optimizer.init(params), jnp.zeros(()))

    def logits(self, params, obs):
        return self.net.apply(params, None, obs)

    @partial(jax.jit, static_argnums=0)
    def act(self, params, obs, key):
        return jax.random.categorical(key, self.logits(params, obs))

    @partial(jax.jit, static_argnums=0)
    def learn(self, state: LearnerState, obs, actions, rewards):
        def loss_fn(params):
            log_probs = jax.nn.log_softmax(self.logits(params, obs))
            chosen = jnp.take_along_axis(log_probs, actions[:, None], axis=1)[:, 0]
            return -jnp.mean(chosen * (rewards - state.baseline))

        grads = jax.grad(loss_fn)(state.params)
        updates, opt_state = self.optimizer.update(grads, state.opt_state)
        params = optax.apply_updates(state.params, updates)
        baseline = 0.9 * state.baseline + 0.1 * jnp.mean(rewards)
        return LearnerState(params, opt_state, baseline)
