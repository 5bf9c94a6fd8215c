"""Special functions that JAX does not have."""
import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

ORDER = 1.0


def _host_log_bessel_k(z):
    z = np.asarray(z, dtype=np.float64)
    value = np.log(scipy.special.kve(ORDER, z)) - z
    return value.astype(np.float32)


def _host_slope(z):
    z = np.asarray(z, dtype=np.float64)
    ratio = scipy.special.kve(ORDER - 1, z) / scipy.special.kve(ORDER, z)
    return (-ratio - ORDER / z).astype(np.float32)


def _on_host(fn, z):
    shape = jax.ShapeDtypeStruct(jnp.shape(z), jnp.float32)
    return jax.pure_callback(fn, shape, z, vmap_method="expand_dims")


@jax.custom_jvp
def log_bessel_k(z):
    """log K_1(z) for positive z."""
    return _on_host(_host_log_bessel_k, z)


@log_bessel_k.defjvp
def _log_bessel_k_jvp(primals, tangents):
    (z,), (dz,) = primals, tangents
    return log_bessel_k(z), _on_host(_host_slope, z) * dz
