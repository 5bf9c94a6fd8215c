import jax.numpy as jnp


def pupil(n, radius):
    """Circular support on an n by n grid."""
    y, x = jnp.mgrid[:n, :n] - (n - 1) / 2
    return x**2 + y**2 <= radius**2


def propagate(field):
    """Fraunhofer propagation, unitary."""
    return jnp.fft.fftshift(jnp.fft.fft2(field, norm="ortho"))


def intensity(field):
    return jnp.real(field * jnp.conj(field))
