import jax
import jax.numpy as jnp
import numpy as np

N_CITIES = 16
N_CHAINS = 32
TEMPERATURE = 1.0


def tour_length(points, order):
    path = points[order]
    return jnp.linalg.norm(path - jnp.roll(path, -1, axis=0), axis=-1).sum()


def propose(key, order):
    i, j = jnp.sort(jax.random.randint(key, (2,), 0, N_CITIES))
    pos = jnp.arange(N_CITIES)
    flipped = jnp.where((pos >= i) & (pos <= j), i + j - pos, pos)
    return order[flipped]


def metropolis(key, order, points):
    move_key, accept_key = jax.random.split(key)
    candidate = propose(move_key, order)
    delta = tour_length(points, candidate) - tour_length(points, order)
    log_accept = -delta / TEMPERATURE  # mistake
    accept = jnp.log(jax.random.uniform(accept_key)) < log_accept
    return jnp.where(accept, candidate, order), accept


@jax.jit
def sweep(key, orders, points):
    def body(orders, step_key):
        keys = jax.random.split(step_key, N_CHAINS)
        orders, accepts = jax.vmap(metropolis, in_axes=(0, 0, None))(keys, orders, points)
        return orders, accepts.mean()

    orders, rates = jax.lax.scan(body, orders, jax.random.split(key, 200))
    return orders, rates.mean()


def anneal(points, key, temperatures):
    global TEMPERATURE
    orders = jnp.tile(jnp.arange(N_CITIES), (N_CHAINS, 1))
    for temperature in temperatures:
        key, sub = jax.random.split(key)
        TEMPERATURE = temperature
        orders, rate = sweep(sub, orders, points)
        print(f"T={temperature:.3f} acceptance {rate:.3f}")
    return orders


def main():
    points = jnp.asarray(np.random.default_rng(0).random((N_CITIES, 2)), jnp.float32)
    orders = anneal(points, jax.random.key(0), np.geomspace(1.0, 0.01, 6))
    lengths = jax.vmap(tour_length, in_axes=(None, 0))(points, orders)
    print("best tour", round(float(lengths.min()), 3))


if __name__ == "__main__":
    main()
