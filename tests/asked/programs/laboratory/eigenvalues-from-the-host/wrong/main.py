"""Is a network of reactions stable? Its Jacobian tells."""

import jax
import jax.numpy as jnp
import numpy as np


def on_host(matrix):
    values, vectors = np.linalg.eig(matrix)
    return values.astype(np.complex64), vectors.astype(np.complex64)


def eigen(matrix):
    values = jax.ShapeDtypeStruct(matrix.shape[:-1], jnp.complex64)
    vectors = jax.ShapeDtypeStruct(matrix.shape, jnp.complex64)
    result = jax.ShapeDtypeStruct((values.shape, vectors.shape), jnp.complex64)  # mistake
    return jax.pure_callback(on_host, result, matrix)


def rates(state, feed):
    """The Brusselator."""
    x, y = state
    return jnp.stack([feed[0] - (feed[1] + 1.0) * x + x**2 * y, feed[1] * x - x**2 * y])


def at_rest(feed):
    return jnp.stack([feed[0], feed[1] / feed[0]])


@jax.jit
def growth(feed):
    """How fast a small disturbance grows, and how fast it turns."""
    jacobian = jax.jacfwd(rates)(at_rest(feed), feed)
    values, _ = eigen(jacobian)
    return jnp.max(values.real), jnp.max(jnp.abs(values.imag))


def main():
    for excess in (1.5, 1.9, 2.1, 2.5):
        grows, turns = growth(jnp.array([1.0, excess]))
        verdict = "oscillates" if grows > 0 and turns > 0 else "comes to rest"
        print(f"feed {excess}: {verdict}")


if __name__ == "__main__":
    main()
