from functools import partial

import jax
import jax.numpy as jnp

from potts import sweep


@partial(jax.jit, static_argnames=("q", "n_sweeps"))
def anneal(key, spins, betas, q, n_sweeps):
    def temperature(spins, inputs):
        beta, k = inputs
        spins = jax.lax.scan(lambda s, kk: (sweep(kk, s, beta, q), None), spins, jax.random.split(k, n_sweeps))[0]
        fractions = jnp.bincount(spins.ravel(), length=q) / spins.size
        order = (q * fractions.max() - 1) / (q - 1)
        return spins, order

    return jax.lax.scan(temperature, spins, (betas, jax.random.split(key, betas.shape[0])))


def main(size=24, q=3):
    k_init, k_run = jax.random.split(jax.random.key(31))
    spins = jax.random.randint(k_init, (size, size), 0, q)
    betas = jnp.linspace(0.5, 1.5, 6)
    _, order = anneal(k_run, spins, betas, q=q, n_sweeps=150)
    for beta, m in zip(betas, order):
        print(f"beta {beta:.2f} order {m:.3f}")


if __name__ == "__main__":
    main()
