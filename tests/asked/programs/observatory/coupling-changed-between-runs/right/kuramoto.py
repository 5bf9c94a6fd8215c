import jax
import jax.numpy as jnp

DT = 0.05


def order_parameter(phases):
    return jnp.abs(jnp.mean(jnp.exp(1j * phases)))


def velocity(phases, natural, coupling):
    field = jnp.mean(jnp.exp(1j * phases))
    return natural + coupling * jnp.abs(field) * jnp.sin(jnp.angle(field) - phases)


@jax.jit
def integrate(phases, natural, coupling):
    def heun(phases, _):
        k1 = velocity(phases, natural, coupling)
        k2 = velocity(phases + DT * k1, natural, coupling)
        phases = phases + 0.5 * DT * (k1 + k2)
        return phases, order_parameter(phases)

    phases, order = jax.lax.scan(heun, phases, None, length=800)
    return order[-200:].mean()
