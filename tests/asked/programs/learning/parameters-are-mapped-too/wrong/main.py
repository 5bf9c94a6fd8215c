"""Classify points with a network that is written for one point."""
import jax
import jax.numpy as jnp


def init(key):
    key_in, key_out = jax.random.split(key)
    return {
        "in": jax.random.normal(key_in, (2, 8)),
        "out": jax.random.normal(key_out, (8, 3)) / 8**0.5,
    }


def logits(params, point):
    return jnp.tanh(point @ params["in"]) @ params["out"]


def example_loss(params, point, label):
    return -jax.nn.log_softmax(logits(params, point))[label]


def loss_fn(params, points, labels):
    return jax.vmap(example_loss)(params, points, labels).mean()  # mistake


@jax.jit
def step(params, points, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, points, labels)
    return jax.tree.map(lambda p, g: p - 0.2 * g, params, grads), loss


if __name__ == "__main__":
    points = jax.random.normal(jax.random.key(0), (30, 2))
    labels = jnp.argmax(points @ jnp.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]]), axis=1)
    params = init(jax.random.key(1))
    losses = []
    for _ in range(10):
        params, loss = step(params, points, labels)
        losses.append(loss)
    print("better", bool(losses[-1] < losses[0]))
