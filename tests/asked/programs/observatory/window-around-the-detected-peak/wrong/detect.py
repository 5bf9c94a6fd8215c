import jax.numpy as jnp
from jax.scipy.signal import convolve


def matched_filter(strain, template):
    kernel = template[::-1] / jnp.linalg.norm(template)
    return convolve(strain, kernel, mode="same")


def extract_event(strain, template, half_width):
    snr = matched_filter(strain, template)
    peak = jnp.argmax(jnp.abs(snr))
    peak = jnp.clip(peak, half_width, strain.shape[0] - half_width)
    segment = strain[peak - half_width:peak + half_width]  # mistake
    return segment, peak, jnp.abs(snr).max()
