"""Shrink coefficients with a penalty that grows."""
import jax
import jax.numpy as jnp

from losses import penalised_loss

compiled = 0


@jax.jit
def step(params, loss_fn, x, y):
    global compiled
    compiled += 1
    return params - 0.05 * jax.grad(loss_fn)(params, x, y)


def main():
    x = jax.random.normal(jax.random.key(0), (16, 4))
    y = x[:, 0] - x[:, 1]
    params = jnp.full(4, 0.5)
    for count in range(5):
        params = step(params, penalised_loss(jnp.array(0.01 * count)), x, y)  # mistake
    print("finite", bool(jnp.all(jnp.isfinite(params))))
    print("compiled", compiled)


if __name__ == "__main__":
    main()
