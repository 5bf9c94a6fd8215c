import jax
import jax.numpy as jnp
import numpy as np
import optax


class LinUCBAgent:
    def __init__(self, n_actions, n_features, alpha=0.5):
        self.alpha = alpha
        self.gram = jnp.tile(jnp.eye(n_features), (n_actions, 1, 1))
        self.target = jnp.zeros((n_actions, n_features))

    def select(self, context):
        return int(_ucb(self.gram, self.target, context, self.alpha).argmax())

    def observe(self, context, action, reward):
        self.gram = self.gram.at[action].add(jnp.outer(context, context))
        self.target = self.target.at[action].add(reward * context)


@jax.jit
def _ucb(gram, target, context, alpha):
    theta = jnp.linalg.solve(gram, target[..., None])[..., 0]
    inv_c = jnp.linalg.solve(gram, jnp.broadcast_to(context[:, None], (*target.shape, 1)))[..., 0]
    return theta @ context + alpha * jnp.sqrt(inv_c @ context)


class SoftmaxAgent:
    def __init__(self, n_actions, n_features, lr=0.1):
        self.tx = optax.sgd(lr)
        self.weights = jnp.zeros((n_actions, n_features))
        self.opt_state = self.tx.init(self.weights)
        self.rng = np.random.default_rng(0)
        self.baseline = 0.0
        self._step = jax.jit(self._reinforce)

    def _reinforce(self, weights, opt_state, context, action, advantage):
        loss = lambda w: -advantage * jax.nn.log_softmax(w @ context)[action]
        updates, opt_state = self.tx.update(jax.grad(loss)(weights), opt_state)
        return optax.apply_updates(weights, updates), opt_state

    def select(self, context):
        probs = np.asarray(jax.nn.softmax(self.weights @ context), np.float64)
        return int(self.rng.choice(len(probs), p=probs / probs.sum()))

    def observe(self, context, action, reward):
        advantage = reward - self.baseline
        self.baseline += 0.05 * advantage
        self.weights, self.opt_state = self._step(
            self.weights, self.opt_state, context, action, advantage
        )
