import jax
import jax.numpy as jnp

DT = 0.02
GRAVITY = 9.81
DRAG = 0.005


def move(ball):
    position, velocity = ball
    drag = DRAG * jnp.sqrt(jnp.sum(velocity**2)) * velocity
    velocity = velocity - DT * (jnp.array([0.0, GRAVITY]) + drag)
    return position + DT * velocity, velocity


def in_the_air(ball):
    position, velocity = ball
    return (position[1] > 0.0) | (velocity[1] > 0.0)


def fly(speed, angle):
    start = jnp.array([0.0, 1.5])
    velocity = speed * jnp.stack([jnp.cos(angle), jnp.sin(angle)])

    position, velocity = jax.lax.while_loop(in_the_air, move, (start, velocity))  # mistake
    return position[0] - position[1] * velocity[0] / velocity[1]
