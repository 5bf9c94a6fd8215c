"""Match the spectrum of a synthesised sound to a recorded one."""
import jax
import jax.numpy as jnp

TIMES = jnp.linspace(0.0, 1.0, 256)


def synthesise(params):
    tones = jnp.sin(2 * jnp.pi * params["frequency"][:, None] * TIMES)
    return params["amplitude"] @ tones


def spectral_loss(params, recorded):
    difference = jnp.fft.rfft(synthesise(params)) - jnp.fft.rfft(recorded)
    return jnp.mean(jnp.abs(difference) ** 2)


@jax.jit
def step(params, recorded):
    grads = jax.grad(spectral_loss)(params, recorded)
    return jax.tree.map(lambda p, g: p - 1e-4 * g, params, grads)


if __name__ == "__main__":
    recorded = jnp.sin(2 * jnp.pi * 11.0 * TIMES)
    params = {"frequency": jnp.array([9.0, 12.0]), "amplitude": jnp.array([0.5, 0.5])}
    for _ in range(5):
        params = step(params, recorded)
    print(jax.tree.map(jnp.shape, params))
