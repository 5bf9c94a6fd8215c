"""Population Monte Carlo ABC for a birth-death process."""
import functools

import jax
import jax.numpy as jnp
import jax.random as jr

OBSERVED = jnp.array([12.0, 15.0, 19.0, 22.0, 28.0])


def simulate(key, theta):
    birth, death = theta

    def step(n, k):
        kb, kd = jr.split(k)
        grown = jr.poisson(kb, birth * n).astype(jnp.float32)
        lost = jr.poisson(kd, death * n).astype(jnp.float32)
        n = jnp.maximum(n + grown - lost, 0.0)
        return n, n

    _, path = jax.lax.scan(step, jnp.float32(10.0), jr.split(key, OBSERVED.shape[0]))
    return path


def distance(path):
    return jnp.sqrt(jnp.mean((path - OBSERVED) ** 2))


def perturb(key, theta, scale):
    return jnp.abs(theta + scale * jr.normal(key, theta.shape))


@functools.partial(jax.jit, static_argnames="n_particles")
def generation(key, particles, epsilon, scale, n_particles):
    k_move, k_sim, k_pick = jr.split(key, 3)
    proposals = jax.vmap(perturb, (0, 0, None))(jr.split(k_move, n_particles), particles, scale)
    paths = jax.vmap(simulate)(jr.split(k_sim, n_particles), proposals)
    d = jax.vmap(distance)(paths)
    weights = (d < epsilon).astype(jnp.float32)
    picked = jr.choice(k_pick, n_particles, (n_particles,), p=weights / weights.sum())
    return proposals[picked], jnp.mean(d < epsilon)


def main(n_particles=2000):
    key, prior_key = jr.split(jr.key(42))
    particles = jr.uniform(prior_key, (n_particles, 2), maxval=jnp.array([0.8, 0.5]))
    for epsilon, scale in [(20.0, 0.1), (10.0, 0.05), (7.0, 0.03)]:
        key, sub = jr.split(key)
        particles, rate = generation(sub, particles, epsilon, scale, n_particles)
        mean = particles.mean(axis=0)
        print(f"eps {epsilon:5.1f} accepted {rate:.2%} birth {mean[0]:.3f} death {mean[1]:.3f}")


if __name__ == "__main__":
    main()
