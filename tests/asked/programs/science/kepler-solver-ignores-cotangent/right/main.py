"""Fit eccentricity and phase of an orbit to astrometric positions."""
import jax
import jax.numpy as jnp


def _newton(mean_anomaly, eccentricity):
    def body(_, e_anom):
        residual = e_anom - eccentricity * jnp.sin(e_anom) - mean_anomaly
        return e_anom - residual / (1.0 - eccentricity * jnp.cos(e_anom))

    return jax.lax.fori_loop(0, 12, body, mean_anomaly + eccentricity)


@jax.custom_vjp
def eccentric_anomaly(mean_anomaly, eccentricity):
    """Solve Kepler's equation E - e sin E = M for an array of M."""
    return _newton(mean_anomaly, eccentricity)


def _forward(mean_anomaly, eccentricity):
    e_anom = _newton(mean_anomaly, eccentricity)
    return e_anom, (e_anom, eccentricity)


def _backward(saved, cotangent):
    e_anom, eccentricity = saved
    slope = 1.0 / (1.0 - eccentricity * jnp.cos(e_anom))
    d_mean = cotangent * slope
    d_ecc = cotangent * slope * jnp.sin(e_anom)
    return d_mean, jnp.sum(d_ecc)


eccentric_anomaly.defvjp(_forward, _backward)


def positions(params, times):
    ecc = params["ecc"]
    e_anom = eccentric_anomaly(2 * jnp.pi * times + params["phase"], ecc)
    x = jnp.cos(e_anom) - ecc
    y = jnp.sqrt(1.0 - ecc**2) * jnp.sin(e_anom)
    return jnp.stack([x, y], axis=-1)


def loss(params, times, observed):
    return jnp.mean((positions(params, times) - observed) ** 2)


@jax.jit
def update(params, times, observed, rate):
    value, grads = jax.value_and_grad(loss)(params, times, observed)
    return jax.tree.map(lambda p, g: p - rate * jnp.clip(g, -1.0, 1.0), params, grads), value


def main():
    times = jnp.linspace(0.0, 1.0, 25)
    observed = positions({"ecc": 0.3, "phase": 0.4}, times)
    params = {"ecc": jnp.array(0.1), "phase": jnp.array(0.0)}
    for _ in range(150):
        params, value = update(params, times, observed, 0.1)
    print("final loss below 1e-3:", bool(value < 1e-3))
    print("ecc   %.2f" % float(params["ecc"]))
    print("phase %.2f" % float(params["phase"]))


if __name__ == "__main__":
    main()
