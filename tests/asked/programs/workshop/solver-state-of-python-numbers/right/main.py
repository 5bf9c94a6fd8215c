"""Place a shelf so that all of its loads have short ways."""

import jax
import jax.numpy as jnp

import solver


def ways(place, loads):
    """Smooth distances to all loads, by weight."""
    distance = jnp.sqrt(jnp.sum((loads[:, :2] - place) ** 2, axis=1) + 1e-3)
    return jnp.sum(loads[:, 2] * distance)


def deliveries(key, n=30):
    k_place, k_weight = jax.random.split(key)
    places = jax.random.uniform(k_place, (n, 2))
    weights = jax.random.uniform(k_weight, (n, 1), minval=0.5, maxval=2.0)
    return jnp.concatenate([places, weights], axis=1)


def main():
    loads = deliveries(jax.random.key(4))
    place, state = jnp.zeros(2), solver.init_state()
    for _ in range(60):
        place, state = solver.update(ways, place, state, loads)
    print("short ways:", bool(ways(place, loads) < 0.8 * ways(jnp.zeros(2), loads)))
    print("steps", int(state.count))
    programs = solver.update._cache_size()
    print("compiled", programs, "time" if programs == 1 else "times")


if __name__ == "__main__":
    main()
