import jax
import jax.numpy as jnp
import optax


class OnlineRegressor:
    """Streaming linear model with a learning rate that is halved now and then."""

    def __init__(self, dim: int, learning_rate: float = 0.05, halve_every: int = 40):
        self.halve_every = halve_every
        self.num_updates = 0
        self.tx = optax.inject_hyperparams(optax.sgd)(learning_rate=learning_rate)
        self.params = {"w": jnp.zeros(dim), "b": jnp.zeros(())}
        self.opt_state = self.tx.init(self.params)
        self._apply = jax.jit(self._update)

    @staticmethod
    def loss(params, x, y):
        return jnp.mean(optax.huber_loss(x @ params["w"] + params["b"], y))

    def _update(self, params, opt_state, x, y):
        loss, grads = jax.value_and_grad(self.loss)(params, x, y)
        self.num_updates += 1  # mistake
        updates, opt_state = self.tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    def observe(self, x, y):
        self.params, self.opt_state, loss = self._apply(self.params, self.opt_state, x, y)
        if self.num_updates % self.halve_every == 0:
            self.opt_state.hyperparams["learning_rate"] *= 0.5
        return loss

    @property
    def learning_rate(self) -> float:
        return float(self.opt_state.hyperparams["learning_rate"])
