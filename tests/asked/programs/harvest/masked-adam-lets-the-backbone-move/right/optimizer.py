import optax

LABELS = {"backbone": "frozen", "head": "trained"}


def make_optimizer(learning_rate):
    """Adam for the head; the backbone stays as it is."""
    return optax.multi_transform({"trained": optax.adam(learning_rate), "frozen": optax.set_to_zero()}, LABELS)
