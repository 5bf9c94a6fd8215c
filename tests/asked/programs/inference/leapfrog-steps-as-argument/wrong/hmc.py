"""Hamiltonian Monte Carlo."""
import jax
import jax.numpy as jnp


def leapfrog(grad_logp, q, p, step_size):
    p = p + 0.5 * step_size * grad_logp(q)
    q = q + step_size * p
    return q, p + 0.5 * step_size * grad_logp(q)


def build(logp):
    grad_logp = jax.grad(logp)

    @jax.jit
    def transition(key, q, step_size, num_steps):
        k_momentum, k_accept = jax.random.split(key)
        p = start = jax.random.normal(k_momentum, q.shape)
        proposal = q
        for _ in range(num_steps):  # mistake
            proposal, p = leapfrog(grad_logp, proposal, p, step_size)
        energy = logp(proposal) - logp(q) + 0.5 * (jnp.sum(start**2) - jnp.sum(p**2))
        accept = jnp.log(jax.random.uniform(k_accept)) < energy
        return jnp.where(accept, proposal, q), accept

    return transition
