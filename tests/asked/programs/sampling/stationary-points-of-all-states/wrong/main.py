"""Simulate a switching system around its stationary points."""
import jax
import jax.numpy as jnp

from dynamics import rotations, stationary_points


@jax.jit
def simulate(dynamics, states, start):
    def step(x, state):
        x = dynamics.weights[state] @ x + dynamics.biases[state]
        return x, x

    return jax.lax.scan(step, start, states)[1]


def main():
    dynamics = rotations(5)
    points = stationary_points(dynamics)
    states = jnp.full(60, 3)
    path = simulate(dynamics, states, jnp.zeros(2))
    print("points", points.shape)
    print("arrives", bool(jnp.linalg.norm(path[-1] - points[3]) < 0.1))


if __name__ == "__main__":
    main()
