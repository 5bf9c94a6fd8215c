"""HMC for a correlated Gaussian, with the doubling heuristic for the first step size."""
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

PRECISION = jnp.array([[2.0, 0.6], [0.6, 1.0]])


class Phase(NamedTuple):
    q: jax.Array
    p: jax.Array


def log_density(q):
    return -0.5 * q @ PRECISION @ q


def hamiltonian(z: Phase):
    return -log_density(z.q) + 0.5 * jnp.sum(z.p**2)


def leapfrog(z: Phase, eps):
    p = z.p + 0.5 * eps * jax.grad(log_density)(z.q)
    q = z.q + eps * p
    p = p + 0.5 * eps * jax.grad(log_density)(q)
    return Phase(q, p)


def accept_prob(z0, z1):
    return jnp.minimum(1.0, jnp.exp(hamiltonian(z0) - hamiltonian(z1)))


def reasonable_step_size(key, q, eps=0.1):
    z0 = Phase(q, jax.random.normal(key, q.shape))
    while accept_prob(z0, leapfrog(z0, eps)) > 0.5:  # mistake
        eps = eps * 2.0
    return eps


def transition(q, key, eps, num_leapfrog):
    k_mom, k_acc = jax.random.split(key)
    z0 = Phase(q, jax.random.normal(k_mom, q.shape))
    z = z0
    for _ in range(num_leapfrog):
        z = leapfrog(z, eps)
    accept = jax.random.uniform(k_acc) < accept_prob(z0, z)
    return jnp.where(accept, z.q, q), accept


@partial(jax.jit, static_argnames=("num_samples", "num_leapfrog"))
def run_chain(key, q0, num_samples, num_leapfrog=5):
    k_eps, k_run = jax.random.split(key)
    eps = reasonable_step_size(k_eps, q0) / 4
    keys = jax.random.split(k_run, num_samples)

    def body(q, k):
        q, accepted = transition(q, k, eps, num_leapfrog)
        return q, (q, accepted)

    _, (draws, accepted) = lax.scan(body, q0, keys)
    return draws, accepted, eps


def main():
    draws, accepted, eps = run_chain(jax.random.key(0), jnp.zeros(2), 200)
    if eps > 2.0:
        print("step size looks too large")
    print(f"eps {eps:.3f}  acceptance {accepted.mean():.2f}")
    print("variances", jnp.round(draws.var(0), 2).tolist())


if __name__ == "__main__":
    main()
