import jax.numpy as jnp
import optax


def build_tx(learning_rate: float) -> optax.GradientTransformation:
    return optax.inject_hyperparams(optax.adam)(learning_rate=learning_rate)


def current_lr(opt_state) -> float:
    return float(opt_state.hyperparams["learning_rate"])


class PlateauController:
    def __init__(self, factor: float, patience: int):
        self.factor = factor
        self.patience = patience
        self.best = float("inf")
        self.bad_epochs = 0

    def adjust(self, opt_state, loss: float):
        lr = opt_state.hyperparams["learning_rate"]
        if loss < self.best:
            self.best, self.bad_epochs = loss, 0
            return opt_state
        self.bad_epochs += 1
        if self.bad_epochs > self.patience:
            self.bad_epochs = 0
            hyperparams = {**opt_state.hyperparams, "learning_rate": jnp.asarray(lr * self.factor)}
            return opt_state._replace(hyperparams=hyperparams)
        return opt_state
