import jax.numpy as jnp


def mse(params, apply_fn, x, y):
    pred = apply_fn(params, x)
    return jnp.mean((pred[:, 0] - y) ** 2)


def evaluate(params, apply_fn, x, y):
    pred = apply_fn(params, x)[:, 0]
    ss_res = jnp.sum((pred - y) ** 2)
    ss_tot = jnp.sum((y - y.mean()) ** 2)
    return 1.0 - ss_res / ss_tot, pred.std()
