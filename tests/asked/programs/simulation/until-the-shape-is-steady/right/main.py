"""Find the shape of a hanging chain by relaxation."""
import jax
import jax.numpy as jnp

WEIGHT = 0.02


def relax(heights):
    """Each inner link moves to the middle of its neighbours and sinks a little."""
    inner = 0.5 * (heights[:-2] + heights[2:]) - WEIGHT
    return heights.at[1:-1].set(inner)


def is_moving(state):
    heights, before, _ = state
    return ~jnp.allclose(heights, before, atol=1e-4)


def move(state):
    heights, _, steps = state
    return relax(heights), heights, steps + 1


@jax.jit
def settle(heights):
    state = (relax(heights), heights, 1)
    heights, _, steps = jax.lax.while_loop(is_moving, move, state)
    return heights, steps


if __name__ == "__main__":
    start = jnp.linspace(0.0, 1.0, 9)
    heights, steps = settle(start)
    print("ends", heights[0].item(), heights[-1].item())
    print("sags", bool(heights.min() < 0.0), "in many steps", bool(steps > 20))
