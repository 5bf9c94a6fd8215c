"""Classify small digits with a perceptron."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Perceptron(nn.Module):
    hidden: int = 32

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.hidden)(x))
        return nn.Dense(10)(x)


model = Perceptron()


@jax.jit
def loss_fn(params, images, labels):
    logits = model.apply(params, images.reshape((images.shape[0], -1)))
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def main():
    images = jax.random.uniform(jax.random.key(0), (16, 8, 8))
    labels = jnp.arange(16) % 10
    params = model.init(jax.random.key(1), jnp.zeros((1, 64)))
    print(bool(jnp.isfinite(loss_fn(params, images, labels))))


if __name__ == "__main__":
    main()
