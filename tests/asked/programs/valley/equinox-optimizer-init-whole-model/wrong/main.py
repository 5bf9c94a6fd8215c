import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Array, Float, Int


class ConvNet(eqx.Module):
    layers: list

    def __init__(self, num_classes: int, key):
        k1, k2 = jax.random.split(key)
        self.layers = [
            eqx.nn.Conv1d(1, 8, kernel_size=5, key=k1),
            jax.nn.relu,
            eqx.nn.AvgPool1d(kernel_size=2, stride=2),
            jnp.ravel,
            eqx.nn.Linear(8 * 14, num_classes, key=k2),
        ]

    def __call__(self, x: Float[Array, "1 32"]) -> Float[Array, " classes"]:
        for layer in self.layers:
            x = layer(x)
        return x


def loss_fn(model, x: Float[Array, "b 1 32"], y: Int[Array, " b"]):
    logits = jax.vmap(model)(x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


def make_signals(rng: np.random.Generator, n: int):
    y = rng.integers(0, 3, size=n)
    t = np.linspace(0, 2 * np.pi, 32)
    phase = rng.uniform(0, 2 * np.pi, size=(n, 1))
    x = np.sin((y[:, None] + 1) * t + phase) + 0.1 * rng.normal(size=(n, 32))
    return jnp.asarray(x[:, None], jnp.float32), jnp.asarray(y)


def train(model, optim, steps: int, seed: int):
    opt_state = optim.init(model)  # mistake

    @eqx.filter_jit
    def step(model, opt_state, x, y):
        loss, grads = eqx.filter_value_and_grad(loss_fn)(model, x, y)
        updates, opt_state = optim.update(
            grads, opt_state, eqx.filter(model, eqx.is_inexact_array)
        )
        return eqx.apply_updates(model, updates), opt_state, loss

    rng = np.random.default_rng(seed)
    for i in range(steps):
        model, opt_state, loss = step(model, opt_state, *make_signals(rng, 48))
        if i % 40 == 0:
            print(f"step {i:3d} loss {loss:.4f}")
    return model


@eqx.filter_jit
def accuracy(model, x, y):
    return jnp.mean(jax.vmap(model)(x).argmax(-1) == y)


if __name__ == "__main__":
    net = train(ConvNet(3, jax.random.key(8)), optax.adamw(3e-3), steps=121, seed=0)
    x_test, y_test = make_signals(np.random.default_rng(99), 256)
    print("test accuracy", float(accuracy(net, x_test, y_test)))
