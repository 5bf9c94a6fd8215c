"""Trust-region minimisation of a geodesy adjustment problem."""
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

MAX_RADIUS = 2.0
STATIONS = jnp.array([[0.0, 0.0], [10.0, 0.0], [0.0, 8.0], [9.0, 9.0]])


class TrustState(NamedTuple):
    x: jax.Array
    radius: jax.Array
    iteration: jax.Array


def residuals(x, ranges):
    return jnp.linalg.norm(STATIONS - x, axis=-1) - ranges


def cost(x, ranges):
    return 0.5 * jnp.sum(residuals(x, ranges) ** 2)


def proposed_step(x, radius, ranges):
    jacobian = jax.jacfwd(residuals)(x, ranges)
    gradient = jacobian.T @ residuals(x, ranges)
    step = -jnp.linalg.solve(jacobian.T @ jacobian + 1e-6 * jnp.eye(2), gradient)
    length = jnp.linalg.norm(step)
    step = step * jnp.minimum(1.0, radius / (length + 1e-12))
    predicted = -(gradient @ step + 0.5 * jnp.sum((jacobian @ step) ** 2))
    return step, predicted


def next_radius(radius, ratio):
    """Grow after good agreement with the model, shrink after bad."""
    grown = jnp.minimum(2.0 * radius, MAX_RADIUS)
    return jnp.where(ratio > 0.75, grown, jnp.where(ratio < 0.25, 0.25 * radius, radius))


@jax.jit
def locate(start, ranges, tolerance=1e-4):
    def running(state):
        slope = jnp.linalg.norm(jax.grad(cost)(state.x, ranges))
        return (slope > tolerance) & (state.iteration < 50)

    def iterate(state):
        step, predicted = proposed_step(state.x, state.radius, ranges)
        actual = cost(state.x, ranges) - cost(state.x + step, ranges)
        ratio = actual / jnp.maximum(predicted, 1e-12)
        x = jnp.where(actual > 0, state.x + step, state.x)
        return TrustState(x, next_radius(state.radius, ratio), state.iteration + 1)

    first = TrustState(start, jnp.array(0.5), jnp.array(0))
    return lax.while_loop(running, iterate, first)


def main():
    truth = jnp.array([6.0, 3.5])
    ranges = jnp.linalg.norm(STATIONS - truth, axis=-1)
    starts = [(1.0, 1.0), (9.5, 8.0)]
    worst = max(float(cost(jnp.array(s), ranges)) for s in starts)
    print(f"largest starting cost {worst:.1f}")
    for start in starts:
        result = locate(jnp.array(start), ranges)
        print(start, "->", [f"{float(v):.2f}" for v in result.x], "converged:", bool(result.iteration < 50))


if __name__ == "__main__":
    main()
