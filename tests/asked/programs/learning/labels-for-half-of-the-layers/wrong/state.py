"""Create the state of fine-tuning: only the last layer learns."""
import optax
from flax.training.train_state import TrainState


def labels(params):
    return {"Dense_0": "train", "Conv_0": "freeze"}  # mistake


def create(model, params):
    tx = optax.multi_transform({"train": optax.sgd(0.1, momentum=0.9), "freeze": optax.set_to_zero()}, labels(params))
    return TrainState.create(apply_fn=model.apply, params=params, tx=tx)  # mistake
