import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from episodes import EpisodeConfig, sample_episode
from protonet import prototype_loss

CFG = EpisodeConfig(n_way=4, n_support=5, n_query=5)


def bird_features(n_classes=10, per_class=12, seed=0):
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(n_classes, 1, 24))
    return (centers + 1.5 * rng.normal(size=(n_classes, per_class, 24))).astype(np.float32)


def embed(x):
    return hk.nets.MLP([32, 16])(x)


def main(n_steps=60):
    network = hk.without_apply_rng(hk.transform(embed))
    data = jnp.asarray(bird_features())
    init_key, loop_key = jax.random.split(jax.random.PRNGKey(0))
    params = network.init(init_key, data[0])
    tx = optax.adam(1e-3)
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state, key):
        support, query, shared = sample_episode(key, data, CFG)
        loss_fn = lambda p: prototype_loss(network.apply, p, support, query)
        (_, acc), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, acc, shared

    accuracies, overlaps = [], []
    for key in jax.random.split(loop_key, n_steps):
        params, opt_state, acc, shared = step(params, opt_state, key)
        accuracies.append(acc)
        overlaps.append(shared)
    print(f"query accuracy {float(np.mean(accuracies[-20:])):.3f}")
    print(f"queries that are in the support: {int(np.sum(overlaps))}")


if __name__ == "__main__":
    main()
