import jax
import jax.numpy as jnp
import numpy as np

from stats import empty, push, variance


@jax.jit
def summarise(stream, observed):
    def body(moments, inputs):
        x, seen = inputs
        moments = push(moments, x, seen.astype(jnp.float32))
        return moments, moments.mean

    final, means = jax.lax.scan(body, empty(stream.shape[1]), (stream, observed))  # mistake
    return final, means


def sensor_stream(rng, steps, sensors):
    drift = np.linspace(0.0, 1.0, steps)[:, None]
    readings = drift + 0.2 * rng.normal(size=(steps, sensors))
    observed = rng.random(steps) > 0.25
    readings[~observed] = -999.0
    return readings.astype(np.float32), observed


def main():
    rng = np.random.default_rng(8)
    stream, observed = sensor_stream(rng, 400, 3)
    final, means = summarise(stream, observed)
    print("used", int(final.count), "of", len(stream))
    print("mean", np.round(np.asarray(final.mean), 3))
    print("std", np.round(np.sqrt(np.asarray(variance(final))), 3))
    print("halfway", np.round(np.asarray(means[200]), 3))


if __name__ == "__main__":
    main()
