import jax.numpy as jnp


def rosenbrock(x):
    return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def rastrigin(x):
    return 10.0 * x.size + jnp.sum(x**2 - 10.0 * jnp.cos(2.0 * jnp.pi * x))


TASKS = {"rosenbrock": rosenbrock, "rastrigin": rastrigin}
