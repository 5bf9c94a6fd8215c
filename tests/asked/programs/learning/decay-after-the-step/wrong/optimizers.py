"""Optimizers by name."""
import optax


def make(name, rate, decay):
    optimizer = {"sgd": optax.sgd, "adam": optax.adam}[name](rate)
    if decay:
        return optax.chain(optimizer, optax.add_decayed_weights(decay))  # mistake
    return optimizer
