import numpy as np


def neighbour_table(edges, num_nodes, width):
    table = np.full((num_nodes, width), num_nodes, dtype=np.int32)
    degree = np.zeros(num_nodes, dtype=np.int32)
    for sender, receiver in edges:
        table[receiver, degree[receiver]] = sender
        degree[receiver] += 1
    return table, degree


def ring_with_hub(num_nodes):
    edges = []
    for node in range(num_nodes):
        after = (node + 1) % num_nodes
        edges += [(node, after), (after, node)]
    for node in range(0, num_nodes - 2, 6):
        edges += [(num_nodes // 2, node)]
    return edges
