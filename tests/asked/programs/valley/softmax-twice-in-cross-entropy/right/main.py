import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState

from convnet import ConvNet


def stripes(rng, n, size=10):
    label = rng.integers(0, 3, size=n)
    ramp = np.arange(size)
    waves = [
        np.sin(ramp[:, None] + 0 * ramp[None]),
        np.sin(0 * ramp[:, None] + ramp[None]),
        np.sin(ramp[:, None] + ramp[None]),
    ]
    x = np.stack(waves)[label] + 0.3 * rng.normal(size=(n, size, size))
    return x[..., None].astype(np.float32), label.astype(np.int32)


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        out = state.apply_fn({"params": params}, x)
        loss = optax.softmax_cross_entropy_with_integer_labels(out, y)
        return loss.mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def accuracy(state, x, y):
    return jnp.mean(state.apply_fn({"params": state.params}, x).argmax(-1) == y)


def main():
    rng = np.random.default_rng(0)
    model = ConvNet(num_classes=3)
    params = model.init(jax.random.PRNGKey(0), jnp.zeros((1, 10, 10, 1)))["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(3e-3))
    for step in range(81):
        state, loss = train_step(state, *stripes(rng, 64))
        if step % 20 == 0:
            print(step, f"{loss:.4f}")
    print("accuracy", float(accuracy(state, *stripes(rng, 256))))


if __name__ == "__main__":
    main()
