import jax
import numpy as np
import optax
from flax.training.train_state import TrainState

from acoustic import AcousticModel, ctc_objective
from utterances import BLANK, make_batch


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, batch["features"])
        return ctc_objective(logits, batch)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def greedy_decode(logits, length):
    best = np.asarray(logits.argmax(-1))[:length]
    collapsed = [b for i, b in enumerate(best) if i == 0 or b != best[i - 1]]
    return [int(b) for b in collapsed if b != BLANK]


def main():
    model = AcousticModel(n_tokens=6, width=32)
    batch = make_batch(16, seed=0)
    params = model.init(jax.random.key(0), batch["features"])["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    for step in range(150):
        state, loss = train_step(state, batch)
    logits = state.apply_fn({"params": state.params}, batch["features"])
    correct = 0
    for i in range(16):
        n_frames = int(batch["frame_mask"][i].sum())
        n_labels = int(batch["label_mask"][i].sum())
        decoded = greedy_decode(logits[i], n_frames)
        correct += decoded == batch["labels"][i, :n_labels].tolist()
    print(f"loss {float(loss):.3f}")
    print(f"exact transcripts {correct} of 16")


if __name__ == "__main__":
    main()
