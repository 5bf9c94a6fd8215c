"""A bootstrap estimate of the error of a median."""
import jax
import jax.numpy as jnp


def resample(seed, data):
    rows = jax.random.randint(seed, data.shape, 0, data.size)  # mistake
    return data[rows]


def bootstrap(statistic, data, repetitions):
    values = [statistic(resample(seed, data)) for seed in range(repetitions)]
    return jnp.stack(values)


def interval(values, share=0.9):
    low, high = jnp.quantile(values, jnp.array([0.5 - share / 2, 0.5 + share / 2]))
    return low, high


if __name__ == "__main__":
    data = jnp.sort(jnp.sin(jnp.arange(40.0)) + 2.0)
    values = bootstrap(jnp.median, data, 20)
    low, high = interval(values)
    print("repetitions", values.shape)
    print("contains the median", bool((low <= jnp.median(data)) & (jnp.median(data) <= high)))
