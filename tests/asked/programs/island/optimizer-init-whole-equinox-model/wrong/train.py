import equinox as eqx
import jax
import optax


def cross_entropy(model, images, labels):
    logits = jax.vmap(model)(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@eqx.filter_jit
def accuracy(model, images, labels):
    logits = jax.vmap(model)(images)
    return (logits.argmax(axis=-1) == labels).mean()


class Trainer:
    def __init__(self, model: eqx.Module, learning_rate: float):
        self.optim = optax.adam(learning_rate)
        self.model = model
        self.opt_state = self.optim.init(model)  # mistake
        self._step = eqx.filter_jit(self._make_step)

    def _make_step(self, model, opt_state, images, labels):
        loss, grads = eqx.filter_value_and_grad(cross_entropy)(model, images, labels)
        updates, opt_state = self.optim.update(grads, opt_state)
        return eqx.apply_updates(model, updates), opt_state, loss

    def fit_batch(self, images, labels):
        self.model, self.opt_state, loss = self._step(self.model, self.opt_state, images, labels)
        return loss
