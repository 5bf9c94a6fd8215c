import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from model import BigramModel, generate
from vocab import Vocabulary

SENTENCES = [
    "the soup needs more salt",
    "the bread needs more time",
    "add salt to the bread",
    "stir the soup for a long time",
    "add more bread to the soup",
]


def pairs(vocab):
    inputs, targets = [], []
    for sentence in SENTENCES:
        ids = vocab.encode(sentence)
        inputs.extend(ids[:-1])
        targets.extend(ids[1:])
    return np.array(inputs), np.array(targets)


@nnx.jit
def train_step(model, optimizer, inputs, targets):
    def loss_fn(model):
        logits = model(inputs)
        return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def main():
    vocab = Vocabulary.from_corpus(SENTENCES)
    model = BigramModel(len(vocab), 24, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(3e-3), wrt=nnx.Param)
    inputs, targets = pairs(vocab)
    for _ in range(300):
        loss = train_step(model, optimizer, inputs, targets)
    print(f"loss {loss:.3f}")
    start = vocab.word_to_id["<bos>"]
    for sample_key in jax.random.split(jax.random.key(7), 3):
        tokens = generate(model, sample_key, jnp.int32(start), length=8)
        print(vocab.decode(tokens))


if __name__ == "__main__":
    main()
