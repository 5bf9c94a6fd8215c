import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax


class DQNAgent:
    def __init__(self, obs_dim, num_actions, key, lr=5e-3, gamma=0.95):
        self.net = hk.without_apply_rng(
            hk.transform(lambda obs: hk.nets.MLP([32, num_actions], name="q")(obs))
        )
        self.params = self.net.init(key, jnp.zeros((1, obs_dim)))
        self.opt = optax.adam(lr)
        self.opt_state = self.opt.init(self.params)
        self._forward = jax.jit(self.net.apply)
        self._update = self._build_update(gamma)

    def _build_update(self, gamma):
        net, opt = self.net, self.opt

        def td_loss(params, obs, action, reward, next_obs, done):
            q = net.apply(params, obs[None])[0, action]
            next_q = jnp.max(net.apply(params, next_obs[None])[0])
            target = reward + gamma * (1.0 - done) * next_q
            return (jax.lax.stop_gradient(target) - q) ** 2

        @jax.jit
        def update(params, opt_state, *transition):
            grads = jax.grad(td_loss)(params, *transition)
            updates, opt_state = opt.update(grads, opt_state)
            return optax.apply_updates(params, updates), opt_state

        return update

    def q_values(self, obs):
        return np.asarray(self._forward(self.params, obs[None])[0])

    def act(self, obs) -> int:
        return int(self.q_values(obs).argmax())

    def learn(self, obs, action, reward, next_obs, done):
        self.params, self.opt_state = self._update(
            self.params,
            self.opt_state,
            obs,
            np.int32(action),
            np.float32(reward),
            next_obs,
            np.float32(done),
        )
