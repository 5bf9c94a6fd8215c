import equinox as eqx
import jax.numpy as jnp
import optax


def one_step_loss(model, history):
    _, preds = model(history[:-1])
    return jnp.mean((preds - history[1:]) ** 2)


class Refitter:
    def __init__(self, learning_rate: float, epochs: int):
        self.tx = optax.adam(learning_rate)
        self.epochs = epochs
        self.step = eqx.filter_jit(self._step)

    def _step(self, model, opt_state, history):
        grads = eqx.filter_grad(one_step_loss)(model, history)
        updates, opt_state = self.tx.update(grads, opt_state)
        return eqx.apply_updates(model, updates), opt_state

    def fit(self, model, history):
        opt_state = self.tx.init(eqx.filter(model, eqx.is_inexact_array))
        for _ in range(self.epochs):
            model, opt_state = self.step(model, opt_state, history)
        return model
