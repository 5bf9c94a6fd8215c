import numpy as np

FEATURES = 4
MAX_ATOMS = 32
MAX_BONDS = 64


def build_graph(kinds, bonds):
    n_atoms, n_bonds = len(kinds), len(bonds)
    nodes = np.zeros((n_atoms, FEATURES), np.float32)  # mistake
    mask = np.zeros(n_atoms, np.float32)
    edges = np.full((n_bonds, 2), n_atoms - 1, np.int32)
    nodes[np.arange(n_atoms), kinds] = 1.0
    mask[:n_atoms] = 1.0
    edges[:n_bonds] = bonds
    return {"nodes": nodes, "mask": mask, "senders": edges[:, 0], "receivers": edges[:, 1]}


def molecules(n, seed):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        n_atoms = int(rng.integers(5, MAX_ATOMS - 1))
        kinds = rng.integers(0, FEATURES, n_atoms)
        children = np.arange(1, n_atoms)
        parents = np.array([rng.integers(0, c) for c in children])
        bonds = np.concatenate(
            [np.stack([parents, children], 1), np.stack([children, parents], 1)]
        )
        energy = np.float32(0.1 * n_atoms + 0.2 * (kinds == 1).sum())
        yield build_graph(kinds, bonds), energy
