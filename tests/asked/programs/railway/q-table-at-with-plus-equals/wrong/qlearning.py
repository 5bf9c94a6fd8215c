from functools import partial

import jax
import jax.numpy as jnp


class QLearner:
    def __init__(self, env, alpha, gamma, epsilon, max_steps):
        self.env = env
        self.alpha, self.gamma, self.epsilon = alpha, gamma, epsilon
        self.max_steps = max_steps

    def init(self, n_states, n_actions):
        return jnp.zeros((n_states, n_actions))

    def act(self, q, s, key):
        k_explore, k_action = jax.random.split(key)
        random_action = jax.random.randint(k_action, (), 0, q.shape[1])
        explore = jax.random.uniform(k_explore) < self.epsilon
        return jnp.where(explore, random_action, jnp.argmax(q[s]))

    def update(self, q, s, a, r, nxt, done):
        target = r + self.gamma * jnp.where(done, 0.0, q[nxt].max())
        td_error = target - q[s, a]
        q.at[s, a] += self.alpha * td_error  # mistake
        return q

    @partial(jax.jit, static_argnums=0)
    def episode(self, q, key):
        def cond(carry):
            _, _, _, done, t = carry
            return jnp.logical_not(done) & (t < self.max_steps)

        def body(carry):
            q, s, key, _, t = carry
            key, k_act = jax.random.split(key)
            a = self.act(q, s, k_act)
            nxt, r, done = self.env.step(s, a)
            return self.update(q, s, a, r, nxt, done), nxt, key, done, t + 1

        start = (q, jnp.int32(0), key, jnp.bool_(False), jnp.int32(0))
        q, _, _, _, t = jax.lax.while_loop(cond, body, start)
        return q, t
