"""Sensitivity of a Michaelis-Menten model to its rate constants."""
import jax
import jax.numpy as jnp
from jax import lax

NAMES = ("k_cat", "K_m", "k_deg")


def rates(state, theta):
    substrate, product = state
    k_cat, k_m, k_deg = theta
    turnover = k_cat * 0.4 * substrate / (k_m + substrate)
    return jnp.stack([-turnover, turnover - k_deg * product])


def rk4(state, theta, dt):
    k1 = rates(state, theta)
    k2 = rates(state + 0.5 * dt * k1, theta)
    k3 = rates(state + 0.5 * dt * k2, theta)
    k4 = rates(state + dt * k3, theta)
    return state + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)


@jax.jit
def final_product(theta):
    def body(state, _):
        return rk4(state, theta, 0.02), None

    state, _ = lax.scan(body, jnp.array([2.0, 0.0]), None, length=200)
    return state[1]


def finite_difference(fn, theta, eps=1e-8):  # mistake
    """Central differences, one parameter after the other."""
    steps = eps * jnp.eye(theta.size)
    plus = jax.vmap(lambda h: fn(theta + h))(steps)
    minus = jax.vmap(lambda h: fn(theta - h))(steps)
    return (plus - minus) / (2 * eps)  # mistake


def main():
    theta = jnp.array([1.3, 0.8, 0.25])
    print(f"product at t = 4: {float(final_product(theta)):.4f}")
    sensitivity = finite_difference(final_product, theta)
    for name, value in zip(NAMES, sensitivity):
        print(f"d product / d {name:6s} = {float(value):+.2f}")
    elasticity = sensitivity * theta / final_product(theta)
    print("most influential:", NAMES[int(jnp.argmax(jnp.abs(elasticity)))])


if __name__ == "__main__":
    main()
