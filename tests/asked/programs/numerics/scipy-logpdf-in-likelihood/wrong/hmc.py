from typing import Callable

import jax
import jax.numpy as jnp


class HMC:
    def __init__(self, logp: Callable, step_size: float, n_leapfrog: int):
        self.logp = logp
        self.grad_logp = jax.grad(logp)
        self.step_size = step_size
        self.n_leapfrog = n_leapfrog

    def leapfrog(self, q, p):
        eps = self.step_size

        def body(_, qp):
            q, p = qp
            p = p + 0.5 * eps * self.grad_logp(q)
            q = q + eps * p
            p = p + 0.5 * eps * self.grad_logp(q)
            return q, p

        return jax.lax.fori_loop(0, self.n_leapfrog, body, (q, p))

    def transition(self, q, key):
        k_mom, k_acc = jax.random.split(key)
        p0 = jax.random.normal(k_mom, q.shape)
        q1, p1 = self.leapfrog(q, p0)
        log_ratio = self.logp(q1) - self.logp(q) + 0.5 * (jnp.sum(p0**2) - jnp.sum(p1**2))
        accept = jnp.log(jax.random.uniform(k_acc)) < log_ratio
        q = jnp.where(accept, q1, q)
        return q, (q, accept)

    def run(self, key, q0, n_samples: int):
        _, (samples, accept) = jax.lax.scan(self.transition, q0, jax.random.split(key, n_samples))
        return samples, accept
