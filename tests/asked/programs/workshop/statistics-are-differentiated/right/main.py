"""Sort screws by pictures of their heads, described by a few numbers."""

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from network import classify

network = hk.without_apply_rng(hk.transform_with_state(classify))
optimizer = optax.adam(0.02)


def loss_fn(params, state, x, kind):
    logits, state = network.apply(params, state, x, True)
    return optax.softmax_cross_entropy_with_integer_labels(logits, kind).mean(), state


@jax.jit
def train_step(params, state, opt_state, x, kind):
    grads, state = jax.grad(loss_fn, has_aux=True)(params, state, x, kind)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), state, opt_state


def screws(rng, n=64):
    kind = rng.integers(0, 3, n)
    x = rng.normal(size=(n, 6)) + 3.0 * np.eye(3, 6)[kind]
    return (10.0 * x + 50.0).astype(np.float32), kind


def main():
    rng = np.random.default_rng(0)
    x, kind = screws(rng)
    params, state = network.init(jax.random.key(0), x, True)
    opt_state = optimizer.init(params)
    for _ in range(80):
        params, state, opt_state = train_step(params, state, opt_state, *screws(rng))
    x, kind = screws(rng, 200)
    logits, _ = network.apply(params, state, x, False)
    print("most are sorted right:", bool(jnp.mean(jnp.argmax(logits, axis=-1) == kind) > 0.8))


if __name__ == "__main__":
    main()
