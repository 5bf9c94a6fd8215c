import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

from data import batches, make_reviews
from models import TextClassifier

VOCAB, LENGTH = 64, 16


@jax.jit
def train_step(state, batch, dropout_key):
    step_key = jax.random.fold_in(dropout_key, state.step)

    def loss_fn(params):
        logits = state.apply_fn({"params": params}, batch["tokens"], train=True, rngs={"dropout": step_key})
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def eval_step(state, batch):
    logits = state.apply_fn({"params": state.params}, batch["tokens"], train=False)
    return jnp.mean(jnp.argmax(logits, -1) == batch["label"])


def main():
    tokens, labels = make_reviews(256, LENGTH, VOCAB)
    model = TextClassifier(VOCAB, 2)
    init_key, dropout_key = jax.random.split(jax.random.key(0))
    params = jax.jit(model.init, static_argnames="train")(init_key, tokens[:1], train=False)["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(3e-3))
    rng = np.random.default_rng(1)
    for epoch in range(3):
        for batch in batches(tokens, labels, 32, rng):
            state, loss = train_step(state, batch, dropout_key)
        accuracy = eval_step(state, {"tokens": tokens, "label": labels})
        print(f"epoch {epoch} loss {loss:.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
