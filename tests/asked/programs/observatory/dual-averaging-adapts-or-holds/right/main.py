import jax
import jax.numpy as jnp

import adaptation


def logdensity(x):
    banana = x[1] - 0.3 * x[0] ** 2
    return -0.5 * (x[0] ** 2 / 4.0 + banana**2)


def mala_kernel(carry, inputs):
    x, adapt, step = carry
    key, warming_up = inputs
    k_prop, k_acc = jax.random.split(key)
    grad = jax.grad(logdensity)

    def log_q(to, frm):
        return -jnp.sum((to - frm - step * grad(frm)) ** 2) / (4 * step)

    prop = x + step * grad(x) + jnp.sqrt(2 * step) * jax.random.normal(k_prop, x.shape)
    log_ratio = logdensity(prop) - logdensity(x) + log_q(x, prop) - log_q(prop, x)
    prob = jnp.minimum(1.0, jnp.exp(log_ratio))
    x = jnp.where(jax.random.uniform(k_acc) < prob, prop, x)
    adapt, step = adaptation.update(adapt, prob, warming_up)
    return (x, adapt, step), (x, prob)


@jax.jit
def run(key, x0):
    n, warmup = 3000, 1000
    start = (x0, adaptation.initial(jnp.float32(0.1)), jnp.float32(0.1))
    flags = jnp.arange(n) < warmup
    (_, _, step), (xs, probs) = jax.lax.scan(mala_kernel, start, (jax.random.split(key, n), flags))
    return xs[warmup:], probs[warmup:].mean(), step


draws, rate, step = run(jax.random.key(17), jnp.zeros(2))
print(f"step {step:.3f} acceptance {rate:.3f}")
print("mean", draws.mean(axis=0).round(2), "sd", draws.std(axis=0).round(2))
