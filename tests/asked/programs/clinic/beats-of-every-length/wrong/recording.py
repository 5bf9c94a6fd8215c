"""A made-up electrocardiogram."""

import jax
import jax.numpy as jnp


def record(key, beats=10, room=80):
    """The signal, and where each beat starts and how long it lasts."""
    k_length, k_noise = jax.random.split(key)
    lengths = jax.random.randint(k_length, (beats,), 40, 64)
    starts = room * jnp.arange(beats)
    time = jnp.arange(beats * room)
    number, phase = time // room, time % room
    shape = jnp.sin(2 * jnp.pi * phase / lengths[number]) * (phase < lengths[number])
    noise = 0.01 * jax.random.normal(k_noise, time.shape)
    return (1.0 + 0.1 * number) * shape + noise, starts, lengths
