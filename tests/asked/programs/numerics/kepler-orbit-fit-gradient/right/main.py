import jax
import jax.numpy as jnp
import numpy as np
import optax

from orbit import radial_velocity


def make_observations(n=60, seed=3):
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(0.0, 20.0, n)).astype(np.float32)
    truth = {"log_period": jnp.log(7.3), "ecc_raw": jnp.array(-0.6), "amp": jnp.array(1.8)}
    rv = np.asarray(radial_velocity(truth, jnp.asarray(t)))
    return jnp.asarray(t), jnp.asarray(rv + rng.normal(0, 0.05, n).astype(np.float32))


def chi2(params, t, rv, sigma=0.05):
    resid = (rv - radial_velocity(params, t)) / sigma
    return 0.5 * jnp.mean(resid**2)


def fit(params, t, rv, steps=200, lr=1e-2):
    tx = optax.adam(lr)
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state):
        loss, grads = jax.value_and_grad(chi2)(params, t, rv)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(steps):
        params, opt_state, loss = step(params, opt_state)
    return params, loss


if __name__ == "__main__":
    t, rv = make_observations()
    guess = {"log_period": jnp.log(7.2), "ecc_raw": jnp.array(-1.5), "amp": jnp.array(1.0)}
    print("initial chi2", chi2(guess, t, rv))
    params, loss = fit(guess, t, rv)
    print("final chi2", loss)
    print("eccentricity", jax.nn.sigmoid(params["ecc_raw"]))
