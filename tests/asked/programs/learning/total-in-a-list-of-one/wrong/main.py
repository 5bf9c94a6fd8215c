"""Report the mean loss of an epoch."""
import jax
import jax.numpy as jnp


def make_step(rate):
    total = [0.0]

    @jax.jit
    def step(weights, x, y):
        loss, grads = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(weights)
        total[0] += loss  # mistake
        return weights - rate * grads

    return step, total


def batches(key, count):
    for key_batch in jax.random.split(key, count):
        x = jax.random.normal(key_batch, (8, 3))
        yield x, x @ jnp.array([1.0, 0.0, -1.0])


def main():
    step, total = make_step(0.1)
    weights = jnp.zeros(3)
    count = 5
    for x, y in batches(jax.random.key(0), count):
        weights = step(weights, x, y)
    mean = total[0] / count  # mistake
    print("mean loss", bool(mean > 0.0))


if __name__ == "__main__":
    main()
