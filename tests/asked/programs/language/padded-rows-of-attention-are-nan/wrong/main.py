"""Train attention to average sentences."""
import jax
import jax.numpy as jnp
import numpy as np

import attention


def sentences(n=8, length=6, width=4):
    rng = np.random.default_rng(0)
    lengths = rng.integers(2, length + 1, n)
    x = rng.normal(size=(n, length, width)).astype(np.float32)
    return jnp.asarray(x), jnp.arange(length) < jnp.asarray(lengths)[:, None]


@jax.jit
def step(params, x, present):
    def loss_fn(params):
        out = attention.attend(params, x, present)
        error = jnp.where(present[..., None], out - x.mean(1, keepdims=True), 0.0)
        return jnp.mean(error**2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def main():
    x, present = sentences()
    params = attention.init(jax.random.key(0), x.shape[-1])
    for _ in range(5):
        params, loss = step(params, x, present)
    print("loss is a number:", bool(jnp.isfinite(loss)))


if __name__ == "__main__":
    main()
