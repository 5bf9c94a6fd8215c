import jax
import jax.numpy as jnp

COUPLING = 0.5
DT = 0.05


def order_parameter(phases):
    return jnp.abs(jnp.mean(jnp.exp(1j * phases)))


def velocity(phases, natural):
    field = jnp.mean(jnp.exp(1j * phases))
    return natural + COUPLING * jnp.abs(field) * jnp.sin(jnp.angle(field) - phases)  # mistake


@jax.jit
def integrate(phases, natural):
    def heun(phases, _):
        k1 = velocity(phases, natural)
        k2 = velocity(phases + DT * k1, natural)
        phases = phases + 0.5 * DT * (k1 + k2)
        return phases, order_parameter(phases)

    phases, order = jax.lax.scan(heun, phases, None, length=800)
    return order[-200:].mean()
