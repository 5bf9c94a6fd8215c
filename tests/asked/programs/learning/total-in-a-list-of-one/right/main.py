"""Report the mean loss of an epoch."""
import jax
import jax.numpy as jnp


def make_step(rate):

    @jax.jit
    def step(weights, x, y):
        loss, grads = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(weights)
        return weights - rate * grads, loss

    return step


def batches(key, count):
    for key_batch in jax.random.split(key, count):
        x = jax.random.normal(key_batch, (8, 3))
        yield x, x @ jnp.array([1.0, 0.0, -1.0])


def main():
    step = make_step(0.1)
    total = 0.0
    weights = jnp.zeros(3)
    count = 5
    for x, y in batches(jax.random.key(0), count):
        weights, loss = step(weights, x, y)
        total += loss
    mean = total / count
    print("mean loss", bool(mean > 0.0))


if __name__ == "__main__":
    main()
