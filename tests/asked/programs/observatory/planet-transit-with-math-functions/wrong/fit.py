import jax
import jax.numpy as jnp
import optax

from orbit import sky_separation, transit_depth


def light_curve(theta, phase):
    separation = sky_separation(phase, theta["a"], theta["inc"])
    return 1.0 - transit_depth(separation, theta["rp"])


def chi2(theta, phase, flux, sigma):
    return jnp.sum(((light_curve(theta, phase) - flux) / sigma) ** 2) / phase.size


@jax.jit
def descend(theta, phase, flux, sigma):
    labels = {"a": "distance", "inc": "angle", "rp": "radius"}
    rates = {"distance": 1e-2, "angle": 1e-3, "radius": 1e-3}
    tx = optax.multi_transform({name: optax.adam(rate) for name, rate in rates.items()}, labels)

    def body(carry, _):
        theta, opt_state = carry
        value, grads = jax.value_and_grad(chi2)(theta, phase, flux, sigma)
        updates, opt_state = tx.update(grads, opt_state)
        return (optax.apply_updates(theta, updates), opt_state), value

    (theta, _), trace = jax.lax.scan(body, (theta, tx.init(theta)), None, length=300)
    return theta, trace
