import jax
import jax.numpy as jnp
import numpy as np

from events import clicks

jax.config.update("jax_enable_x64", True)


@jax.jit
def gaps(times):
    return jnp.diff(times)


@jax.jit
def rate_by_gap(times, memory):
    """A rate of events that forgets with time."""

    def body(carry, time):
        rate, last = carry
        rate = rate * jnp.exp(-(time - last) / memory) + 1.0 / memory
        return (rate, time), rate

    start = (jnp.zeros((), times.dtype), times[0])
    _, rates = jax.lax.scan(body, start, times)
    return rates


def main():
    stamps = clicks(np.random.default_rng(5), n=400)
    times = jnp.asarray(stamps, dtype=jnp.float64)
    between = gaps(times)
    print("shortest gap", round(float(between.min()), 2))
    print("mean gap", round(float(between.mean()), 2))
    print("longest gap", round(float(between.max()), 2))
    print("last rate", round(float(rate_by_gap(times, 60.0)[-1]), 3))


if __name__ == "__main__":
    main()
