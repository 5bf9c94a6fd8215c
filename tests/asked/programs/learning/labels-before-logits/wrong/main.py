"""Train a linear classifier of flowers."""
import jax
import jax.numpy as jnp

from metrics import accuracy, cross_entropy


def forward(params, x):
    return x @ params["w"] + params["b"]


@jax.jit
def step(params, x, labels):
    def loss_fn(params):
        logits = forward(params, x)
        return cross_entropy(logits, labels), accuracy(logits, labels)

    (loss, share), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
    return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), share


def flowers(key, count):
    labels = jnp.arange(count) % 3
    centres = jnp.array([[0.0, 3.0], [3.0, 0.0], [-3.0, -3.0]])
    return centres[labels] + jax.random.normal(key, (count, 2)), labels


if __name__ == "__main__":
    x, labels = flowers(jax.random.key(0), 30)
    params = {"w": jnp.zeros((2, 3)), "b": jnp.zeros(3)}
    for _ in range(10):
        params, share = step(params, x, labels)
    print("accurate", bool(share > 0.8))
