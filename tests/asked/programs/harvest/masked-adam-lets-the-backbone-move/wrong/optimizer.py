import optax

TRAINED = {"backbone": False, "head": True}


def make_optimizer(learning_rate):
    """Adam for the head; the backbone stays as it is."""
    return optax.masked(optax.adam(learning_rate), TRAINED)  # mistake
