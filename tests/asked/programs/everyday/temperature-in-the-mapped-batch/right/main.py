"""Contrastive scores for each example of a batch."""
import jax
import jax.numpy as jnp


def example_loss(params, example):
    anchor = jnp.tanh(params @ example["anchor"])
    positive = jnp.tanh(params @ example["positive"])
    return -jnp.dot(anchor, positive) / example["temperature"]


@jax.jit
def batch_loss(params, batch):
    axes = {"anchor": 0, "positive": 0, "temperature": None}
    losses = jax.vmap(example_loss, in_axes=(None, axes))(params, batch)
    return losses.mean()


def main():
    keys = jax.random.split(jax.random.key(0), 3)
    batch = {
        "anchor": jax.random.normal(keys[0], (32, 6)),
        "positive": jax.random.normal(keys[1], (32, 6)),
        "temperature": 0.1,
    }
    params = jax.random.normal(keys[2], (4, 6))
    print(batch_loss(params, batch).shape)


if __name__ == "__main__":
    main()
