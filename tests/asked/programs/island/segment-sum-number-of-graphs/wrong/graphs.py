from typing import NamedTuple

import numpy as np


class GraphBatch(NamedTuple):
    nodes: np.ndarray
    senders: np.ndarray
    receivers: np.ndarray
    graph_ids: np.ndarray
    targets: np.ndarray
    n_graph: int


def random_batch(rng: np.random.Generator, n_graph: int = 8, nodes_per_graph: int = 6) -> GraphBatch:
    n = n_graph * nodes_per_graph
    nodes = rng.normal(size=(n, 4)).astype(np.float32)
    offsets = np.repeat(np.arange(n_graph) * nodes_per_graph, 12)
    senders = offsets + rng.integers(0, nodes_per_graph, size=offsets.size)
    receivers = offsets + rng.integers(0, nodes_per_graph, size=offsets.size)
    graph_ids = np.repeat(np.arange(n_graph), nodes_per_graph)
    targets = nodes[:, 0].reshape(n_graph, -1).mean(axis=1)
    return GraphBatch(nodes, senders, receivers, graph_ids, targets, n_graph)
