"""Windows of a recording around events."""
import jax
import jax.numpy as jnp


@jax.jit  # mistake
def average_window(signal, events, width):  # mistake
    def cut(event):
        start = jnp.clip(event - width // 2, 0, signal.size - width)
        return jax.lax.dynamic_slice(signal, (start,), (width,))  # mistake

    return jax.vmap(cut)(events).mean(axis=0)
