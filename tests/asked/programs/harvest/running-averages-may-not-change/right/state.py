from typing import Any

import optax
from flax.training.train_state import TrainState


class State(TrainState):
    batch_stats: Any


def create_state(model, key, sample):
    variables = model.init(key, sample, train=False)
    return State.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        tx=optax.adam(1e-2),
    )
