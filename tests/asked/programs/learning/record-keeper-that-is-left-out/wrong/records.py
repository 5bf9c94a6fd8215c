"""A record of the losses, kept on the host."""
import jax
import numpy as np

losses = []


def keep(loss):
    losses.append(float(loss))
    return np.float32(0.0)


def record(loss):
    jax.pure_callback(keep, jax.ShapeDtypeStruct((), np.float32), loss)  # mistake
