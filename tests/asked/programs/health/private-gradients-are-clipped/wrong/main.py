"""Train on records of patients with a bound on what one record can change."""

import jax
import jax.numpy as jnp

CLIP, NOISE = 1.0, 0.3


def logits(params, x):
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return hidden @ params["w2"]


def loss(params, record):
    x, ill = record
    value = logits(params, x)
    return jnp.logaddexp(0.0, value) - ill * value


def clipped(params, record):
    grads = jax.grad(loss)(params, record)
    leaves = jax.tree.leaves(grads)
    total = jnp.linalg.norm([jnp.linalg.norm(leaf.ravel()) for leaf in leaves])  # mistake
    return jax.tree.map(lambda g: g / jnp.maximum(total / CLIP, 1.0), grads)


@jax.jit
def private_step(params, records, key, rate):
    grads = jax.vmap(clipped, in_axes=(None, 0))(params, records)
    summed = jax.tree.map(lambda g: g.sum(axis=0), grads)
    leaves, structure = jax.tree.flatten(summed)
    keys = jax.random.split(key, len(leaves))
    count = records[1].shape[0]
    noisy = [(g + CLIP * NOISE * jax.random.normal(k, g.shape)) / count for g, k in zip(leaves, keys)]
    return jax.tree.map(lambda p, g: p - rate * g, params, jax.tree.unflatten(structure, noisy))


def patients(key, count=128):
    k_x, k_ill = jax.random.split(key)
    x = jax.random.normal(k_x, (count, 4))
    ill = jax.random.bernoulli(k_ill, jax.nn.sigmoid(3 * x[:, 0] - 2 * x[:, 1]))
    return x, ill.astype(jnp.float32)


def initial(key, hidden=8):
    k1, k2 = jax.random.split(key)
    return {
        "w1": 0.5 * jax.random.normal(k1, (4, hidden)),
        "b1": jnp.zeros(hidden),
        "w2": 0.5 * jax.random.normal(k2, (hidden,)),
    }


def main():
    k_data, k_init, key = jax.random.split(jax.random.key(4), 3)
    records, params = patients(k_data), initial(k_init)
    mean_loss = jax.jit(lambda p: jax.vmap(loss, in_axes=(None, 0))(p, records).mean())
    before = mean_loss(params)
    for _ in range(40):
        key, k_step = jax.random.split(key)
        params = private_step(params, records, k_step, 0.5)
    print("learnt", bool(mean_loss(params) < before))


if __name__ == "__main__":
    main()
