import jax
import jax.numpy as jnp
from jax.scipy.signal import convolve


def matched_filter(strain, template):
    kernel = template[::-1] / jnp.linalg.norm(template)
    return convolve(strain, kernel, mode="same")


def extract_event(strain, template, half_width):
    snr = matched_filter(strain, template)
    peak = jnp.argmax(jnp.abs(snr))
    peak = jnp.clip(peak, half_width, strain.shape[0] - half_width)
    segment = jax.lax.dynamic_slice_in_dim(strain, peak - half_width, 2 * half_width)
    return segment, peak, jnp.abs(snr).max()
