from functools import partial

import jax
import jax.numpy as jnp

from dmc import batched_energy, log_trial

NUCLEI = jnp.zeros((1, 3))
CHARGES = jnp.array([2.0])


@partial(jax.jit, static_argnames=("n_steps",))
def metropolis(key, walkers, n_steps, width=0.4):
    logp = jax.vmap(lambda x: 2.0 * log_trial(x, NUCLEI, CHARGES))

    def step(walkers, key):
        k_move, k_acc = jax.random.split(key)
        proposal = walkers + width * jax.random.normal(k_move, walkers.shape)
        u = jax.random.uniform(k_acc, walkers.shape[:1])
        accept = jnp.log(u) < logp(proposal) - logp(walkers)
        return jnp.where(accept[:, None], proposal, walkers), accept.mean()

    return jax.lax.scan(step, walkers, jax.random.split(key, n_steps))


def main():
    k_init, k_burn = jax.random.split(jax.random.key(0))
    walkers = jax.random.normal(k_init, (512, 6))
    walkers, rates = metropolis(k_burn, walkers, n_steps=300)
    energies = batched_energy(walkers, NUCLEI, CHARGES)  # mistake
    sem = energies.std() / jnp.sqrt(energies.size)
    print(f"acceptance {rates.mean():.2f}")
    print(f"helium energy {energies.mean():.3f} +- {sem:.3f} Ha")


if __name__ == "__main__":
    main()
