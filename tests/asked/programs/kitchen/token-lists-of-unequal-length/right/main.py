import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from classifier import ReviewClassifier
from text import WordTokenizer, collate

REVIEWS = [
    ("a lovely film with a warm heart", 1.0),
    ("dull and far too long", 0.0),
    ("warm and funny", 1.0),
    ("the plot is dull and the jokes are old", 0.0),
    ("lovely music and a funny plot", 1.0),
    ("old jokes", 0.0),
]


@jax.jit
def train_step(state, tokens, mask, labels):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, tokens, mask)
        return optax.sigmoid_binary_cross_entropy(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    texts = [text for text, _ in REVIEWS]
    labels = jnp.array([label for _, label in REVIEWS])
    tokenizer = WordTokenizer(texts, max_len=8)
    tokens, mask = collate(tokenizer, texts)

    model = ReviewClassifier(tokenizer.vocab_size)
    params = model.init(jax.random.key(0), tokens, mask)["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    for _ in range(100):
        state, loss = train_step(state, tokens, mask, labels)
    logits = state.apply_fn({"params": state.params}, tokens, mask)
    accuracy = jnp.mean((logits > 0) == (labels > 0.5))
    print(f"loss {loss:.4f} accuracy {accuracy:.2f}")


if __name__ == "__main__":
    main()
