import jax
import jax.numpy as jnp


def zero_pad(x, pad: int):
    tail = jnp.zeros(pad, dtype=x.dtype)  # mistake
    return jnp.concatenate([x, tail])


@jax.jit  # mistake
def filter_signal(x, response, pad):
    padded = zero_pad(x, pad)
    spectrum = jnp.fft.rfft(padded) * response
    y = jnp.fft.irfft(spectrum, n=padded.shape[0])
    return y[: x.shape[0]]
