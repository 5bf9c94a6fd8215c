import jax
import numpy as np
import optax
from flax.training.train_state import TrainState

from audio import make_dataset
from spotter import KeywordSpotter


@jax.jit
def train_step(state, frames, labels, dropout_key):
    def loss_fn(params):
        logits = state.apply_fn(
            {"params": params}, frames, train=True, rngs={"dropout": dropout_key}
        )
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def predict(state, frames):
    return state.apply_fn({"params": state.params}, frames, train=False).argmax(axis=-1)


def main():
    rng = np.random.default_rng(2)
    frames, labels = make_dataset(rng, 256)
    model = KeywordSpotter(num_keywords=3)
    init_key, dropout_key = jax.random.split(jax.random.key(0))
    params = model.init(init_key, frames[:1], train=False)["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(3e-3))
    for epoch in range(5):
        for rows in rng.permutation(len(frames)).reshape(-1, 32):
            step_key = jax.random.fold_in(dropout_key, state.step)
            state, loss = train_step(state, frames[rows], labels[rows], step_key)
        print(f"epoch {epoch}: loss {loss:.3f}")
    test_frames, test_labels = make_dataset(rng, 128)
    print("accuracy", float(np.mean(predict(state, test_frames) == test_labels)))


if __name__ == "__main__":
    main()
