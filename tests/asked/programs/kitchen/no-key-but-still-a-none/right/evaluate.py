import jax
import jax.numpy as jnp


def make_report(network, stats, target_std):
    @jax.jit
    def predict(params, x):
        return network.apply(params, x, **stats)

    def report(params, x, y):
        error = predict(params, x) - y
        rmse = target_std * jnp.sqrt(jnp.mean(error**2))
        r2 = 1.0 - jnp.mean(error**2) / jnp.var(y)
        return {"rmse": round(float(rmse), 3), "r2": round(float(r2), 3)}

    return report
