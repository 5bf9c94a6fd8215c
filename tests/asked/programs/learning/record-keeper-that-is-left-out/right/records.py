"""A record of the losses, kept on the host."""
import jax

losses = []


def keep(loss):
    losses.append(float(loss))


def record(loss):
    jax.debug.callback(keep, loss, ordered=True)
