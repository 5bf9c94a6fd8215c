"""A learner in half precision, with a scale of the loss that adapts."""

import jax
import jax.numpy as jnp
import optax


def predict(params, x):
    hidden = jnp.tanh(x @ params["w1"].astype(jnp.float16) + params["b1"].astype(jnp.float16))
    return (hidden @ params["w2"].astype(jnp.float16)).astype(jnp.float32)[:, 0]


class Learner:
    def __init__(self, params, optimizer):
        self.optimizer = optimizer
        self.params = params
        self.opt_state = optimizer.init(params)
        self.scale = jnp.float32(2.0**10)
        self._update = jax.jit(self._update_fn)

    def _update_fn(self, params, opt_state, x, y):
        def scaled_loss(params):
            return self.scale * jnp.mean((predict(params, x) - y) ** 2)

        loss, grads = jax.value_and_grad(scaled_loss)(params)
        grads = jax.tree.map(lambda g: g / self.scale, grads)
        finite = jnp.all(jnp.array([jnp.all(jnp.isfinite(g)) for g in jax.tree.leaves(grads)]))
        updates, new_opt_state = self.optimizer.update(grads, opt_state, params)
        new_params = optax.apply_updates(params, updates)
        self.scale = jnp.where(finite, self.scale * 1.1, self.scale / 2.0)  # mistake
        keep = lambda new, old: jnp.where(finite, new, old)
        return jax.tree.map(keep, new_params, params), jax.tree.map(keep, new_opt_state, opt_state), loss

    def update(self, x, y):
        self.params, self.opt_state, loss = self._update(self.params, self.opt_state, x, y)
        return loss / self.scale  # mistake
