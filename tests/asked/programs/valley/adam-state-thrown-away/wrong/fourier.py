import jax.numpy as jnp


def init_coeffs(num_modes: int):
    return {
        "bias": jnp.zeros(()),
        "sin": jnp.zeros((num_modes,)),
        "cos": jnp.zeros((num_modes,)),
    }


def evaluate_series(params, t):
    modes = jnp.arange(1, params["sin"].shape[0] + 1)
    phase = 2 * jnp.pi * t[:, None] * modes
    waves = jnp.sin(phase) @ params["sin"] + jnp.cos(phase) @ params["cos"]
    return params["bias"] + waves


def spectrum_loss(params, t, y):
    return jnp.mean((evaluate_series(params, t) - y) ** 2)
