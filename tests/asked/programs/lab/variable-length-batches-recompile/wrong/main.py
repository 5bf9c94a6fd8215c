import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from loader import PAD, SentenceLoader

VOCAB, DIM, MAX_LEN = 64, 16, 16


def forward(tokens):
    mask = (tokens != PAD)[..., None]
    x = hk.Embed(VOCAB, DIM)(tokens)
    x = hk.Linear(DIM)(x)
    pooled = (jax.nn.relu(x) * mask).sum(1) / jnp.maximum(mask.sum(1), 1)
    return hk.Linear(2)(pooled)


net = hk.without_apply_rng(hk.transform(forward))
opt = optax.adam(5e-3)


def loss_fn(params, tokens, labels):
    logits = net.apply(params, tokens)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def update(params, opt_state, tokens, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens, labels)
    updates, opt_state = opt.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def make_corpus(rng, n):
    lengths = rng.integers(3, MAX_LEN + 1, size=n)
    labels = rng.integers(0, 2, size=n)
    sentences = [rng.integers(1, 32, size=m) + 16 * y for m, y in zip(lengths, labels)]
    return sentences, labels


def main():
    sentences, labels = make_corpus(np.random.default_rng(0), 24)
    loader = SentenceLoader(sentences, labels, batch_size=4, max_len=MAX_LEN)
    params = net.init(jax.random.key(0), np.ones((1, MAX_LEN), np.int32))
    opt_state = opt.init(params)
    for epoch in range(2):
        for tokens, y in loader:
            params, opt_state, loss = update(params, opt_state, tokens, y)  # mistake
        print(f"epoch {epoch} loss {loss:.3f}")
    print("compiled variants", update._cache_size())


if __name__ == "__main__":
    main()
