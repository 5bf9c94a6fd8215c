"""Gradient descent in a scan, with a record of the losses."""
import jax
import jax.numpy as jnp

import records


@jax.jit
def train(weights, x, y):
    def step(weights, _):
        loss, grads = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(weights)
        records.record(loss)
        return weights - 0.1 * grads, None

    return jax.lax.scan(step, weights, length=6)[0]


def main():
    x = jax.random.normal(jax.random.key(0), (12, 3))
    weights = train(jnp.zeros(3), x, x.sum(axis=1))
    jax.block_until_ready(weights)
    jax.effects_barrier()
    print("moved", bool(jnp.all(weights > 0.0)))
    print("recorded", len(records.losses))


if __name__ == "__main__":
    main()
