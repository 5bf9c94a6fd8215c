import jax
import jax.numpy as jnp
import optax
from flax import nnx

from mixer import Mixer


def sequences(key, n, length, width):
    key_x, key_shift = jax.random.split(key)
    x = jax.random.normal(key_x, (n, length, width))
    shift = jax.random.randint(key_shift, (n,), 0, 2)
    return x + shift[:, None, None], shift


@nnx.jit
def train_step(model, optimizer, x, labels):
    def loss_fn(model):
        return optax.softmax_cross_entropy_with_integer_labels(model(x), labels).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def main():
    x, labels = sequences(jax.random.key(7), 128, 8, 6)
    model = Mixer(length=8, width=6, n_blocks=3, rngs=nnx.Rngs(1))
    optimizer = nnx.Optimizer(model, optax.adam(5e-3), wrt=nnx.Param)
    for _ in range(40):
        loss = train_step(model, optimizer, x, labels)
    print("loss", round(float(loss), 3))
    print("correct", round(float(jnp.mean(model(x).argmax(axis=-1) == labels)), 3))


if __name__ == "__main__":
    main()
