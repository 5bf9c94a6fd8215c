import jax
import jax.numpy as jnp
import numpy as np

from graph import Graph, from_edge_list
from rank import pagerank


def preferential_attachment(n: int, m: int, seed: int):
    rng = np.random.default_rng(seed)
    targets = list(range(m))
    pool: list[int] = list(range(m))
    edges = []
    for v in range(m, n):
        edges += [(v, t) for t in set(targets)]
        pool += targets + [v] * m
        targets = [int(t) for t in rng.choice(pool, size=m)]
    return np.array(edges)


def report(graph: Graph, scores):
    top = np.argsort(-np.asarray(scores))[:5]
    in_deg = np.bincount(np.asarray(graph.dst), minlength=graph.n_nodes)
    print("total mass", round(float(scores.sum()), 4))
    for v in top:
        print(f"node {v:3d} score {float(scores[v]):.4f} in-degree {in_deg[v]}")


def main():
    graph = from_edge_list(preferential_attachment(80, 3, seed=0), n_nodes=80)
    scores = pagerank(graph.src, graph.dst, n_nodes=graph.n_nodes, damping=0.85)
    report(graph, jax.device_get(scores))
    perm = jnp.flip(jnp.arange(graph.src.shape[0]))
    again = pagerank(graph.src[perm], graph.dst[perm], n_nodes=graph.n_nodes, damping=0.85)
    print("independent of edge order:", bool(jnp.allclose(scores, again, atol=1e-5)))


if __name__ == "__main__":
    main()
