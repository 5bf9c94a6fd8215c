"""Compute partial charges from the bonds of a molecule by a few rounds of exchange."""

import jax
import jax.numpy as jnp
import numpy as np

PULL = {"H": 2.2, "C": 2.55, "O": 3.44}


def ethanol():
    atoms = ["C", "C", "O", "H", "H", "H", "H", "H", "H"]
    bonds = [(0, 1), (1, 2), (0, 3), (0, 4), (0, 5), (1, 6), (1, 7), (2, 8)]
    return atoms, np.array(bonds)


def both_ways(bonds):
    return np.concatenate([bonds, bonds[:, ::-1]])


@jax.jit
def exchange(charge, pull, bonds):
    """Each atom draws charge from neighbours that pull less."""
    to, source = bonds[:, 0], bonds[:, 1]
    flow = 0.1 * (pull[to] - charge[to] - pull[source] + charge[source])
    return charge - jax.ops.segment_sum(flow, to, num_segments=charge.shape[0])


def charges(atoms, bonds, rounds=20):
    pull = jnp.array([PULL[atom] for atom in atoms])
    charge = jnp.zeros(len(atoms))
    for _ in range(rounds):
        charge = exchange(charge, pull, both_ways(bonds))
    return charge


def main():
    atoms, bonds = ethanol()
    found = charges(atoms, bonds)
    print("most negative is", atoms[int(jnp.argmin(found))])
    print("most positive is", atoms[int(jnp.argmax(found))])
    print(f"sum {abs(float(jnp.sum(found))):.2f}")


if __name__ == "__main__":
    main()
