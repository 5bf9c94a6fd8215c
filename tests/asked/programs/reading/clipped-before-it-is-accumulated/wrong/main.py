"""Does accumulating four small batches give what one large batch gives?"""

import jax
import jax.numpy as jnp
import optax

VOCABULARY, WIDTH = 12, 8
PARTS = 4


def inner():
    return optax.chain(optax.clip_by_global_norm(0.5), optax.sgd(0.1))


def accumulating():
    return optax.chain(inner(), optax.apply_every(PARTS))  # mistake


def init(key):
    k1, k2 = jax.random.split(key)
    return {
        "embed": jax.random.normal(k1, (VOCABULARY, WIDTH)),
        "out": jax.random.normal(k2, (WIDTH, VOCABULARY)),
    }


def loss_fn(params, words):
    logits = params["embed"][words[:, 0]] @ params["out"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, words[:, 1]).mean()


def fit(optimizer, params, batches):
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, words):
        grads = jax.grad(loss_fn)(params, words)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state

    for words in batches:
        params, state = step(params, state, words)
    return params


def distance(first, second):
    return max(float(jnp.max(jnp.abs(a - b))) for a, b in zip(jax.tree.leaves(first), jax.tree.leaves(second)))


def main():
    params = init(jax.random.key(0))
    words = jax.random.randint(jax.random.key(1), (64, 2), 0, VOCABULARY)
    large = fit(inner(), params, [words])
    small = fit(accumulating(), params, jnp.split(words, PARTS))
    print("moved:", distance(params, large) > 1e-3)
    print("the same step:", distance(large, small) < 1e-5)


if __name__ == "__main__":
    main()
