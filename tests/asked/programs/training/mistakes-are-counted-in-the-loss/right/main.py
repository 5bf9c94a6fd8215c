"""Tell two kinds of wine apart."""

import haiku as hk
import jax
import jax.numpy as jnp
import optax


def network(x):
    return hk.Sequential([hk.Linear(16), jax.nn.tanh, hk.Linear(2)])(x)


model = hk.without_apply_rng(hk.transform(network))


def wines(key, count=80):
    k_kind, k_noise = jax.random.split(key)
    kinds = jax.random.bernoulli(k_kind, 0.5, (count,)).astype(jnp.int32)
    centres = jnp.array([[0.0, 1.0, -0.5], [1.0, -0.5, 0.5]])
    return centres[kinds] + 0.4 * jax.random.normal(k_noise, (count, 3)), kinds


def wrong(params, x, kinds):
    predicted = jnp.argmax(model.apply(params, x), axis=1)
    return jnp.mean((predicted != kinds).astype(jnp.float32))


def loss_fn(params, x, kinds):
    logits = model.apply(params, x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, kinds).mean()


def size(tree):
    return sum(jnp.abs(leaf).sum() for leaf in jax.tree.leaves(tree))


def main():
    k_data, k_init = jax.random.split(jax.random.key(13))
    x, kinds = wines(k_data)
    params = model.init(k_init, x)
    start = params
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state):
        _, grads = jax.value_and_grad(loss_fn)(params, x, kinds)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state

    for _ in range(60):
        params, opt_state = step(params, opt_state)
    moved = size(jax.tree.map(jnp.subtract, params, start))
    print("weights have moved:", bool(moved > 0))
    print("few are wrong:", bool(wrong(params, x, kinds) < 0.15))


if __name__ == "__main__":
    main()
