import jax
import jax.numpy as jnp
import numpy as np
import optax

from confusion import add_batch, summarise
from langid import init_params, loss_fn, predict

LANGUAGES = ["de", "fr", "fi", "nl"]


def letter_counts(rng, profiles, size, length=30):
    labels = rng.integers(0, len(profiles), size)
    counts = np.stack([rng.multinomial(length, profiles[k]) for k in labels])
    return (counts / length).astype(np.float32), labels.astype(np.int32)


def batches(features, labels, batch_size):
    for start in range(0, len(labels), batch_size):
        yield features[start : start + batch_size], labels[start : start + batch_size]


def main():
    rng = np.random.default_rng(13)
    profiles = rng.dirichlet(np.full(26, 2.0), len(LANGUAGES))
    train = letter_counts(rng, profiles, 2048)
    test = letter_counts(rng, profiles, 512)

    params = init_params(jax.random.key(0), 26, len(LANGUAGES))
    optimizer = optax.adam(0.05)
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state, features, labels):
        grads = jax.grad(loss_fn)(params, features, labels)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state

    for _ in range(5):
        for features, labels in batches(*train, 128):
            params, opt_state = step(params, opt_state, features, labels)

    counts = jnp.zeros((len(LANGUAGES), len(LANGUAGES)), jnp.int32)
    for features, labels in batches(*test, 128):
        counts = add_batch(counts, labels, predict(params, features))
    print("examples", int(counts.sum()))
    print("recall", summarise(counts, LANGUAGES))


if __name__ == "__main__":
    main()
