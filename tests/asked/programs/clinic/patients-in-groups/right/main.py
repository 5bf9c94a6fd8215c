"""Group patients by their blood values, with Lloyd's algorithm."""

import jax
import jax.numpy as jnp

GROUPS = 3
STEPS = 12


def blood_values(key, count=60):
    k_group, k_noise = jax.random.split(key)
    truth = jax.random.randint(k_group, (count,), 0, GROUPS)
    centres = jnp.array([[5.0, 1.0, 140.0], [9.0, 3.0, 130.0], [6.5, 6.0, 150.0]])
    values = centres[truth] + jax.random.normal(k_noise, (count, 3)) * jnp.array([0.4, 0.3, 2.0])
    return (values - values.mean(0)) / values.std(0)


def squared_distances(values, centres):
    return jnp.sum((values[:, None, :] - centres[None, :, :]) ** 2, axis=-1)


def assign(values, centres):
    return jnp.argmin(squared_distances(values, centres), axis=1)


@jax.jit
def lloyd_step(values, centres):
    labels = assign(values, centres)
    belongs = jax.nn.one_hot(labels, GROUPS)
    sizes = belongs.sum(axis=0)[:, None]
    means = belongs.T @ values / jnp.maximum(sizes, 1)
    return jnp.where(sizes > 0, means, centres)


def inertia(values, centres):
    return squared_distances(values, centres).min(axis=1).mean()


def main():
    values = blood_values(jax.random.key(8))
    centres = values[jnp.array([0, 20, 40])]
    before = inertia(values, centres)
    for _ in range(STEPS):
        centres = lloyd_step(values, centres)
    after = inertia(values, centres)
    print("centres", centres.shape)
    print("tighter groups", bool(after <= before))


if __name__ == "__main__":
    main()
