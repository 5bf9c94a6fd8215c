"""Data for an operator network: initial conditions, sensors and query points."""
import jax
import jax.numpy as jnp

from fields import random_field, sample_example

N_TRAIN = 200
N_FIELDS = 20
N_SENSORS = 32


def training_set(key):
    field_key, query_key = jax.random.split(key)
    fields = random_field(field_key, (N_FIELDS, N_SENSORS))
    keys = jax.random.split(query_key, N_TRAIN)
    inputs, queries, targets = jax.vmap(sample_example, in_axes=(0, 0, None))(keys, fields, 10)  # mistake
    return inputs.reshape(-1, N_SENSORS), queries.reshape(-1), targets.reshape(-1)


if __name__ == "__main__":
    inputs, queries, targets = training_set(jax.random.PRNGKey(7))
    print(inputs.shape, queries.shape, bool(jnp.isfinite(targets).all()))
