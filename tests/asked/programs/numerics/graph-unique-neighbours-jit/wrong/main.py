import jax
import jax.numpy as jnp
import numpy as np

from sampling import gather_subgraph, sample_neighbours
from sage import init_params, sage_forward


def ring_with_chords(n=60, chords=90, seed=1):
    rng = np.random.default_rng(seed)
    ring = np.stack([np.arange(n), (np.arange(n) + 1) % n])
    extra = rng.integers(0, n, size=(2, chords))
    src, dst = np.concatenate([ring, ring[::-1], extra, extra[::-1]], axis=1)
    table = np.zeros((n, 12), dtype=np.int32)
    for v in range(n):
        nbrs = dst[src == v]
        table[v] = np.resize(nbrs, 12)
    return jnp.asarray(table)


@jax.jit
def embed(params, key, table, features, seeds):
    sampled = sample_neighbours(key, table, seeds, fanout=4)
    nodes, feats, local = gather_subgraph(features, seeds, sampled)
    return sage_forward(params, feats, local), nodes


def main():
    table = ring_with_chords()
    k_feat, k_par, k_run = jax.random.split(jax.random.key(3), 3)
    features = jax.random.normal(k_feat, (table.shape[0], 8))
    params = init_params(k_par, 8, 5)
    for i, k in enumerate(jax.random.split(k_run, 3)):
        seeds = jnp.arange(i * 10, i * 10 + 10)
        out, nodes = embed(params, k, table, features, seeds)
        print("batch", i, "nodes", int((nodes >= 0).sum()), "norm", float(jnp.linalg.norm(out)))


if __name__ == "__main__":
    main()
