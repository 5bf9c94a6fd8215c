"""Filters of one signal, and of all channels of a recording."""
import jax


def low_pass(signal, share=0.5):
    def step(level, value):
        level = level + share * (value - level)
        return level, level

    return jax.lax.scan(step, signal[0], signal)[1]


def low_pass_channels(recording):
    """Filter a recording of shape (times, channels)."""
    return jax.vmap(low_pass, in_axes=1, out_axes=1)(recording)
