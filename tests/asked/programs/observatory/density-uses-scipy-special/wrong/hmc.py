import jax
import jax.numpy as jnp


def leapfrog(grad_fn, q, p, step, n):
    p = p + 0.5 * step * grad_fn(q)

    def body(carry, _):
        q, p = carry
        q = q + step * p
        return (q, p + step * grad_fn(q)), None

    (q, p), _ = jax.lax.scan(body, (q, p), None, length=n)
    return q, p - 0.5 * step * grad_fn(q)


def sample(key, logdensity, q0, n_samples, step=0.03, n_leapfrog=12):
    grad_fn = jax.grad(logdensity)

    def kernel(carry, key):
        q, lp = carry
        k_mom, k_acc = jax.random.split(key)
        p = jax.random.normal(k_mom, q.shape)
        q_new, p_new = leapfrog(grad_fn, q, p, step, n_leapfrog)
        lp_new = logdensity(q_new)
        log_ratio = lp_new - lp + 0.5 * (p @ p - p_new @ p_new)
        accept = jnp.log(jax.random.uniform(k_acc)) < log_ratio
        q = jnp.where(accept, q_new, q)
        return (q, jnp.where(accept, lp_new, lp)), (q, accept)

    _, (draws, accepted) = jax.lax.scan(kernel, (q0, logdensity(q0)), jax.random.split(key, n_samples))
    return draws, accepted.mean()
