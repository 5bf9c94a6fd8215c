import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from digits import digit_images
from mlp import DigitMLP


def accuracy(state, x, y):
    logits = state.apply_fn({"params": state.params}, x)
    return float(jnp.mean(logits.argmax(-1) == y))


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    x, y = digit_images(512)
    model = DigitMLP()
    params = model.init(jax.random.key(0), x[:1])["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))
    for step in range(40):
        rows = slice(64 * (step % 8), 64 * (step % 8) + 64)
        state, loss = train_step(state, x[rows], y[rows])
    print(f"loss {float(loss):.4f} accuracy {accuracy(state, x, y):.3f}")
    n_params = sum(p.size for p in jax.tree.leaves(state.params))
    print("logits per image", model.apply({"params": state.params}, x[:1]).shape[-1])
    print("parameters", n_params)


if __name__ == "__main__":
    main()
