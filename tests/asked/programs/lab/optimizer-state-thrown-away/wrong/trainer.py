import jax
import optax


class Trainer:
    def __init__(self, loss_fn, params, schedule):
        self.schedule = schedule
        self.tx = optax.adam(schedule)
        self.params = params
        self.opt_state = self.tx.init(params)
        self._grad = jax.value_and_grad(loss_fn)
        self._step = jax.jit(self._update)

    def _update(self, params, opt_state, *batch):
        loss, grads = self._grad(params, *batch)
        updates, opt_state = self.tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    def step(self, *batch):
        self.params, _, loss = self._step(self.params, self.opt_state, *batch)  # mistake
        return loss

    @property
    def learning_rate(self):
        count = optax.tree_utils.tree_get_all_with_path(self.opt_state, "count")[0][1]
        return float(self.schedule(count))
