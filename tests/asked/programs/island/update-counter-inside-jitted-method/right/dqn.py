from functools import partial

import jax
import jax.numpy as jnp
import optax


class DQNAgent:
    def __init__(self, obs_dim, num_actions, sync_every, key, gamma=0.9, lr=2e-2):
        k1, k2 = jax.random.split(key)
        self.params = {
            "w1": jax.random.normal(k1, (obs_dim, 32)) / jnp.sqrt(obs_dim),
            "w2": jax.random.normal(k2, (32, num_actions)) / jnp.sqrt(32),
        }
        self.target = self.params
        self.tx = optax.adam(lr)
        self.opt_state = self.tx.init(self.params)
        self.gamma = gamma
        self.sync_every = sync_every
        self.num_updates = 0
        self.num_syncs = 0

    @staticmethod
    def forward(params, obs):
        return jax.nn.relu(obs @ params["w1"]) @ params["w2"]

    def q_values(self, obs):
        return self.forward(self.params, obs)

    def td_loss(self, params, target, batch):
        obs, action, reward, next_obs, done = batch
        q = jnp.take_along_axis(self.forward(params, obs), action[:, None], axis=1)[:, 0]
        bootstrap = jnp.max(self.forward(target, next_obs), axis=1)
        return jnp.mean(optax.huber_loss(q, reward + self.gamma * (1 - done) * bootstrap))

    @partial(jax.jit, static_argnums=0)
    def update(self, params, target, opt_state, batch):
        grads = jax.grad(self.td_loss)(params, target, batch)
        updates, opt_state = self.tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state

    def learn(self, batch):
        self.params, self.opt_state = self.update(self.params, self.target, self.opt_state, batch)
        self.num_updates += 1
        if self.num_updates % self.sync_every == 0:
            self.target = self.params
            self.num_syncs += 1
