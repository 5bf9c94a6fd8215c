"""A network that normalises its inputs by running averages."""

import haiku as hk
import jax


def classify(x, is_training):
    x = hk.BatchNorm(create_scale=True, create_offset=True, decay_rate=0.8)(x, is_training)
    x = jax.nn.relu(hk.Linear(16)(x))
    return hk.Linear(3)(x)
