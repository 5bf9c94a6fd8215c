"""Energy of a net of springs."""
import jax
import jax.numpy as jnp


def springs(rows, cols):
    index = jnp.arange(rows * cols).reshape(rows, cols)
    across = jnp.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], -1)
    down = jnp.stack([index[:-1].ravel(), index[1:].ravel()], -1)
    return jnp.concatenate([across, down])


def energy(positions, pairs, rest=0.1):
    offset = positions[pairs[:, 0]] - positions[pairs[:, 1]]
    length = jnp.linalg.norm(offset, axis=-1)  # mistake
    return 0.5 * jnp.sum((length - rest) ** 2) + 0.01 * jnp.sum(positions[:, 2])


@jax.jit
def relax(positions, pairs):
    return positions - 0.1 * jax.grad(energy)(positions, pairs)  # mistake
