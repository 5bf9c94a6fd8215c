import jax
import jax.numpy as jnp
import optax


class Trainer:
    def __init__(self, loss_fn, params, learning_rate=1e-2, clip=1.0):
        self.loss_fn = loss_fn
        self.tx = optax.chain(optax.clip_by_global_norm(clip), optax.adam(learning_rate))
        self.params = params
        self.opt_state = self.tx.init(params)
        self.last_grads = None
        self._jit_step = jax.jit(self._step)

    def _step(self, params, opt_state, batch):
        loss, grads = jax.value_and_grad(self.loss_fn)(params, batch)
        updates, opt_state = self.tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss, grads

    def step(self, batch):
        self.params, self.opt_state, loss, self.last_grads = self._jit_step(
            self.params, self.opt_state, batch
        )
        return loss

    def grad_report(self):
        return {
            jax.tree_util.keystr(path): float(jnp.linalg.norm(g))
            for path, g in jax.tree_util.tree_leaves_with_path(self.last_grads)
        }
