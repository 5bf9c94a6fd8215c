"""Windows of a recording around events."""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="width")
def average_window(signal, events, width):
    def cut(event):
        start = jnp.clip(event - width // 2, 0, signal.size - width)
        return jax.lax.dynamic_slice(signal, (start,), (width,))

    return jax.vmap(cut)(events).mean(axis=0)
