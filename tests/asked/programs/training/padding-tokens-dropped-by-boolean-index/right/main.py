"""Part-of-speech tagger in Flax NNX; padded positions do not count."""
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

PAD_TAG = -1


class Tagger(nnx.Module):
    def __init__(self, vocab: int, tags: int, dim: int, *, rngs: nnx.Rngs):
        self.embed = nnx.Embed(vocab, dim, rngs=rngs)
        self.mix = nnx.Linear(2 * dim, dim, rngs=rngs)
        self.out = nnx.Linear(dim, tags, rngs=rngs)

    def __call__(self, tokens: jax.Array) -> jax.Array:
        x = self.embed(tokens)
        left = jnp.pad(x[:, :-1], ((0, 0), (1, 0), (0, 0)))
        x = nnx.relu(self.mix(jnp.concatenate([x, left], axis=-1)))
        return self.out(x)


def token_loss(logits, tags, ignore=PAD_TAG):
    safe = jnp.where(tags == ignore, 0, tags)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, safe)
    return losses.mean(where=tags != ignore)


def loss_fn(model: Tagger, tokens, tags):
    logits = model(tokens)
    return token_loss(logits, tags), logits


@nnx.jit
def train_step(model: Tagger, optimizer: nnx.Optimizer, tokens, tags):
    (loss, _), grads = nnx.value_and_grad(loss_fn, has_aux=True)(model, tokens, tags)
    optimizer.update(model, grads)
    return loss


def accuracy(model, tokens, tags):
    predicted = np.asarray(model(tokens).argmax(-1))
    real = tags != PAD_TAG
    return (predicted[real] == tags[real]).mean()


def make_corpus(rng, sentences=32, length=9, vocab=30):
    tokens = rng.integers(0, vocab, size=(sentences, length))
    tags = tokens % 4
    ends = rng.integers(4, length + 1, size=sentences)
    tags[np.arange(length) >= ends[:, None]] = PAD_TAG
    return tokens, tags


def main():
    rng = np.random.default_rng(0)
    model = Tagger(30, 4, 12, rngs=nnx.Rngs(params=0))
    optimizer = nnx.Optimizer(model, optax.adamw(1e-2), wrt=nnx.Param)
    for step in range(30):
        loss = train_step(model, optimizer, *make_corpus(rng))
    print(f"loss {loss:.3f}")
    print(f"accuracy {accuracy(model, *make_corpus(rng)):.3f}")


if __name__ == "__main__":
    main()
