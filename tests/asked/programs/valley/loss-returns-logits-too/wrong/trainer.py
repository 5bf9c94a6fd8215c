import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


def make_step(model):
    @jax.jit
    def step(state, x, y):
        def compute_loss(params):
            logits = model.apply({"params": params}, x)
            loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
            return loss, logits

        grad_fn = jax.value_and_grad(compute_loss)  # mistake
        (loss, logits), grads = grad_fn(state.params)  # mistake
        acc = jnp.mean(jnp.argmax(logits, -1) == y)
        return state.apply_gradients(grads=grads), loss, acc

    return step


class Trainer:
    def __init__(self, model, tx, seed=0):
        self.model = model
        self.tx = tx
        self.seed = seed
        self.step_fn = make_step(model)
        self.state = None

    def setup(self, example):
        variables = self.model.init(jax.random.key(self.seed), example)
        self.state = train_state.TrainState.create(
            apply_fn=self.model.apply, params=variables["params"], tx=self.tx
        )

    def fit_batch(self, x, y):
        self.state, loss, acc = self.step_fn(self.state, x, y)
        return float(loss), float(acc)
