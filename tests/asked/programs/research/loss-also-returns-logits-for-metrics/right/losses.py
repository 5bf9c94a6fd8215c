import jax
import jax.numpy as jnp
import optax


def quantile_loss(pred, target, quantiles):
    diff = target[:, None] - pred
    return jnp.maximum(quantiles * diff, (quantiles - 1.0) * diff)


def forecast_loss(params, apply_fn, features, target, quantiles):
    pred = apply_fn(params, features)
    per_quantile = quantile_loss(pred, target, quantiles).mean(axis=0)
    penalty = 1e-4 * optax.tree.norm(params, squared=True)
    return per_quantile.sum() + penalty, {"pred": pred, "per_quantile": per_quantile}


def coverage(pred, target):
    inside = (target >= pred[:, 0]) & (target <= pred[:, -1])
    return jnp.mean(inside.astype(jnp.float32))


def init_mlp(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(k, (m, n)) * jnp.sqrt(2.0 / m), "b": jnp.zeros(n)}
        for k, m, n in zip(keys, sizes[:-1], sizes[1:])
    ]


def apply_mlp(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]
