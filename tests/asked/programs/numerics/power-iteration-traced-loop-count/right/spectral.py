import jax
import jax.numpy as jnp


def laplacian_matrix(adjacency):
    degree = adjacency.sum(axis=1)
    return jnp.diag(degree) - adjacency


def deflate(v):
    return v - v.mean()


@jax.jit
def fiedler_vector(lap, v, num_iters):
    """Power iteration on the shifted Laplacian, orthogonal to the constant vector."""
    shift = 2.0 * jnp.max(jnp.diag(lap))
    shifted = shift * jnp.eye(lap.shape[0]) - lap

    def body(_, v):
        v = deflate(shifted @ v)
        return v / jnp.linalg.norm(v)

    v = jax.lax.fori_loop(0, num_iters, body, v)
    return v, v @ lap @ v
