import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

GM_SUN = 4.0 * 9.869604401089358
DAY = 1.0 / 365.25


def initial_state(a, ecc):
    r = a * (1.0 - ecc)
    v = (GM_SUN / a * (1.0 + ecc) / (1.0 - ecc)) ** 0.5
    return jnp.array([r, 0.0, 0.0, v], dtype=jnp.float64)
