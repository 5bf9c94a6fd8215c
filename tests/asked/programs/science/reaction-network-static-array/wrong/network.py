from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_dataclass
@dataclass
class Network:
    rates: jax.Array
    orders: jax.Array
    stoichiometry: np.ndarray = field(metadata=dict(static=True))  # mistake
    name: str = field(default="network", metadata=dict(static=True))


def enzyme_network(k_on, k_off, k_cat) -> Network:
    # columns: binding, release, catalysis; rows: S, E, ES, P
    stoichiometry = np.array([[-1, 1, 0], [-1, 1, 1], [1, -1, -1], [0, 0, 1]], dtype=np.float32)
    orders = np.array([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]])
    rates = jnp.array([k_on, k_off, k_cat])
    return Network(rates, jnp.asarray(orders), stoichiometry, name="michaelis-menten")
