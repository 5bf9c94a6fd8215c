import jax
import jax.numpy as jnp


def fitzhugh_nagumo(v, w, current, a=0.7, b=0.8, tau=12.5):
    return v - v**3 / 3 - w + current, (v + a - b * w) / tau


@jax.jit
def spike_count(current):
    dt, n_steps = 0.1, 3000

    def step(carry, _):
        v, w = carry
        dv, dw = fitzhugh_nagumo(v, w, current)
        new_v = v + dt * dv
        crossed = (v < 1.0) & (new_v >= 1.0)
        return (new_v, w + dt * dw), crossed

    start = (jnp.float32(-1.2), jnp.float32(-0.6))
    _, spikes = jax.lax.scan(step, start, None, length=n_steps)
    return spikes.sum()
