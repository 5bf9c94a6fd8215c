"""Layers of a network, as pairs of functions."""
import jax
import jax.numpy as jnp


def dense(inputs, outputs, key=jax.random.key(0)):  # mistake
    weights = jax.random.normal(key, (inputs, outputs)) * (2.0 / inputs) ** 0.5
    return {"weights": weights, "bias": jnp.zeros(outputs)}


def apply(layers, x):
    for layer in layers:
        x = jax.nn.relu(x @ layer["weights"] + layer["bias"])
    return x
