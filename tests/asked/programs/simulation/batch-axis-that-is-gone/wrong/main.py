"""Forces between a crowd of people and the walls of a corridor."""
import jax
import jax.numpy as jnp

WIDTH = 4.0


def wall_force(position):
    """The push of both walls on one person."""
    across = position[:, 1]  # mistake
    push = jnp.exp(-across) - jnp.exp(across - WIDTH)
    return jnp.stack([jnp.zeros_like(push), push])


def desired_force(velocity, speed=1.2):
    return (jnp.array([speed, 0.0]) - velocity) / 0.5


@jax.jit
def walk(positions, velocities, dt=0.1):
    forces = jax.vmap(wall_force)(positions) + jax.vmap(desired_force)(velocities)  # mistake
    velocities = velocities + dt * forces
    return positions + dt * velocities, velocities


if __name__ == "__main__":
    positions = jax.random.uniform(jax.random.key(0), (10, 2)) * jnp.array([2.0, WIDTH])
    velocities = jnp.zeros_like(positions)
    start = positions
    for _ in range(10):
        positions, velocities = walk(positions, velocities)
    print("move on", bool(jnp.all(positions[:, 0] > start[:, 0])))
    print("inside", bool(jnp.all((positions[:, 1] > 0.0) & (positions[:, 1] < WIDTH))))
