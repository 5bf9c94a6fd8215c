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

    def _update_fn(self, params, opt_state, scale, x, y):
        def scaled_loss(params):
            return scale * jnp.mean((predict(params, x) - y) ** 2)

        loss, grads = jax.value_and_grad(scaled_loss)(params)
        grads = jax.tree.map(lambda g: g / scale, grads)
        finite = jnp.all(jnp.array([jnp.all(jnp.isfinite(g)) for g in jax.tree.leaves(grads)]))
        updates, new_opt_state = self.optimizer.update(grads, opt_state, params)
        new_params = optax.apply_updates(params, updates)
        new_scale = jnp.where(finite, scale * 1.1, scale / 2.0)
        keep = lambda new, old: jnp.where(finite, new, old)
        params = jax.tree.map(keep, new_params, params)
        return params, jax.tree.map(keep, new_opt_state, opt_state), new_scale, loss / scale

    def update(self, x, y):
        self.params, self.opt_state, self.scale, loss = self._update(
            self.params, self.opt_state, self.scale, x, y
        )
        return loss
