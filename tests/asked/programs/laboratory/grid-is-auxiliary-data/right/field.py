"""Values on the cells of a grid."""

import jax


@jax.tree_util.register_pytree_node_class
class Field:
    def __init__(self, edges, values):
        self.edges = edges
        self.values = values

    def with_values(self, values):
        return Field(self.edges, values)

    def tree_flatten(self):
        return (self.edges, self.values), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)
