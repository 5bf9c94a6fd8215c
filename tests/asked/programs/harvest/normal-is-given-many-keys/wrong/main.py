import jax
import jax.numpy as jnp

STEP = 0.6


def log_density(x):
    """Two hills of different height."""
    left = -0.5 * jnp.sum((x + 1.5) ** 2)
    right = -0.5 * jnp.sum((x - 1.5) ** 2) + 0.7
    return jnp.logaddexp(left, right)


def propose(keys, walkers):
    noise = jax.random.normal(keys, walkers.shape)  # mistake
    return walkers + STEP * noise


@jax.jit
def metropolis(key, walkers):
    key_moves, key_accept = jax.random.split(key)
    n_walkers = walkers.shape[0]
    proposed = propose(jax.random.split(key_moves, n_walkers), walkers)  # mistake
    ratio = jax.vmap(log_density)(proposed) - jax.vmap(log_density)(walkers)
    accepted = jnp.log(jax.random.uniform(key_accept, (n_walkers,))) < ratio
    return jnp.where(accepted[:, None], proposed, walkers), accepted.mean()


def main():
    key_start, key_chain = jax.random.split(jax.random.key(14))
    walkers = jax.random.normal(key_start, (200, 2))
    rates = []
    for key in jax.random.split(key_chain, 150):
        walkers, rate = metropolis(key, walkers)
        rates.append(rate)
    print("accepted", round(float(jnp.stack(rates).mean()), 2))
    print("share on the right", round(float(jnp.mean(walkers.sum(axis=1) > 0.0)), 2))
    print("mean", [round(value, 1) for value in walkers.mean(axis=0).tolist()])


if __name__ == "__main__":
    main()
