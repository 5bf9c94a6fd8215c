"""Penalised negative log likelihood."""
import jax.numpy as jnp
import optax


def objective(params, features, labels, penalty):
    logits = features @ params["w"] + params["b"]
    fit = optax.sigmoid_binary_cross_entropy(logits, labels).mean()
    return fit + penalty * jnp.sum(params["w"] ** 2)
