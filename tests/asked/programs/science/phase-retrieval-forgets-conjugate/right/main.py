"""Recover a complex wave front from the intensity in the focal plane."""
import jax
import jax.numpy as jnp

from optics import pupil, propagate, intensity


def misfit(field, measured, support):
    focal = propagate(jnp.where(support, field, 0.0))
    return jnp.mean((intensity(focal) - measured) ** 2)


@jax.jit
def descend(field, measured, support, rate):
    value, gradient = jax.value_and_grad(misfit)(field, measured, support)
    return field - rate * jnp.conj(gradient), value


def retrieve(measured, support, start, iterations=80, rate=2.0):
    field = start
    history = []
    for _ in range(iterations):
        field, value = descend(field, measured, support, rate)
        history.append(float(value))
    return field, history


def main():
    support = pupil(24, radius=8.0)
    key_phase, key_start = jax.random.split(jax.random.key(2))
    phase = 0.8 * jax.random.normal(key_phase, support.shape)
    truth = jnp.where(support, jnp.exp(1j * phase), 0.0)
    measured = intensity(propagate(truth))

    guess = 0.3 * jax.random.normal(key_start, support.shape)
    start = jnp.where(support, jnp.exp(1j * (phase + guess)), 0.0)
    field, history = retrieve(measured, support, start)

    ratio = history[-1] / history[0]
    print("misfit reduced to a tenth:", ratio < 0.1)
    amplitude = jnp.abs(field)[support]
    print(f"mean amplitude {float(amplitude.mean()):.2f}")


if __name__ == "__main__":
    main()
