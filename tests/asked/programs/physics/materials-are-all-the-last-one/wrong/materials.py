"""Stress-strain laws."""
import jax.numpy as jnp

STIFFNESS = {"rubber": 0.1, "wood": 10.0, "steel": 200.0}


def laws():
    branches = []
    for stiffness in STIFFNESS.values():
        branches.append(lambda strain: stiffness * jnp.tanh(strain))  # mistake
    return branches
