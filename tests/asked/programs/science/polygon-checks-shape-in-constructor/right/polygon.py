import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Polygon:
    """Vertices in order, shape (..., n, 2), and a mass per unit area."""

    def __init__(self, vertices, density=1.0):
        if vertices.shape[-1] != 2:
            raise ValueError(f"expected 2-D vertices, got {vertices.shape}")
        self.vertices = vertices
        self.density = density

    def area(self):
        x, y = self.vertices[..., 0], self.vertices[..., 1]
        cross = x * jnp.roll(y, -1, axis=-1) - y * jnp.roll(x, -1, axis=-1)
        return 0.5 * jnp.abs(jnp.sum(cross, axis=-1))

    def mass(self):
        return self.density * self.area()

    def tree_flatten(self):
        return (self.vertices, self.density), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        polygon = object.__new__(cls)
        polygon.vertices, polygon.density = children
        return polygon
