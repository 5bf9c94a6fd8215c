from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("log_density", "n_steps"))
def move(key, particles, log_density, step_size, n_steps=20):
    def step(x, inputs):
        noise, log_uniform = inputs
        proposal = x + step_size * noise
        accept = log_uniform < log_density(proposal) - log_density(x)
        return jnp.where(accept[:, None], proposal, x), accept.mean()

    k_noise, k_accept = jax.random.split(key)
    noise = jax.random.normal(k_noise, (n_steps, *particles.shape))
    log_uniform = jnp.log(jax.random.uniform(k_accept, (n_steps, particles.shape[0])))
    particles, rates = jax.lax.scan(step, particles, (noise, log_uniform))
    return particles, rates.mean()


@partial(jax.jit, static_argnames="log_likelihood")
def resample(key, particles, log_likelihood, increment):
    log_weights = increment * log_likelihood(particles)
    chosen = jax.random.categorical(key, log_weights, shape=(particles.shape[0],))
    return particles[chosen]


def anneal(key, particles, betas, log_prior, log_likelihood):
    step_size, previous = 0.5, 0.0
    for beta in betas:
        key, k_resample, k_move = jax.random.split(key, 3)
        particles = resample(k_resample, particles, log_likelihood, beta - previous)
        tempered = lambda x: log_prior(x) + beta * log_likelihood(x)  # mistake
        particles, rate = move(k_move, particles, tempered, step_size)  # mistake
        print(f"beta {beta:.2f} accepted {float(rate):.2f}")
        previous = beta
    return particles, move._cache_size()
