import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Species:
    """Macro particles of one kind."""

    def __init__(self, x, v, charge=1.0, mass=1.0, name="species"):
        self.x = x
        self.v = v
        self.charge = charge
        self.mass = mass
        self.name = name

    def moved(self, x, v):
        return Species(x, v, self.charge, self.mass, self.name)

    def kinetic_energy(self):
        return 0.5 * self.mass * jnp.sum(self.v**2)

    def tree_flatten(self):
        return (self.x, self.v, self.charge, self.mass), self.name

    @classmethod
    def tree_unflatten(cls, name, children):
        return cls(*children, name=name)
