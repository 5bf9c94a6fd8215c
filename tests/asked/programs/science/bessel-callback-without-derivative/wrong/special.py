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


def log_bessel_k(z):
    """log K_1(z) for positive z."""
    shape = jax.ShapeDtypeStruct(jnp.shape(z), jnp.float32)
    return jax.pure_callback(_host_log_bessel_k, shape, z, vmap_method="expand_dims")  # mistake
