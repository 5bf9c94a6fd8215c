# %% [markdown]
# Dose response with a Laplace approximation

# %%
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

# %%
rng = np.random.default_rng(21)
log_dose = np.repeat(np.linspace(-2.0, 2.0, 9), 12)
p_true = 1.0 / (1.0 + np.exp(-(0.4 + 1.7 * log_dose)))
died = (rng.uniform(size=log_dose.shape) < p_true).astype(np.float64)
design = jnp.stack([jnp.ones_like(log_dose), jnp.asarray(log_dose)], axis=1)
died = jnp.asarray(died)


# %%
def neg_log_posterior(beta):
    logits = design @ beta
    log_lik = jnp.sum(died * logits - jnp.logaddexp(0.0, logits))
    log_prior = -0.5 * jnp.sum(beta**2 / 25.0)
    return -(log_lik + log_prior)


grad_fn = jax.grad(neg_log_posterior)
hess_fn = jax.hessian(neg_log_posterior)


@jax.jit
def newton_step(beta):
    return beta - jnp.linalg.solve(hess_fn(beta), grad_fn(beta))


# %%
beta = jnp.zeros(2)
for _ in range(8):
    beta = newton_step(beta)
print("mode", np.round(beta, 6), beta.dtype)
print("gradient", f"{jnp.linalg.norm(grad_fn(beta)):.1e}")

# %%
covariance = jnp.linalg.inv(hess_fn(beta))
draws = jax.random.multivariate_normal(jax.random.key(0), beta, covariance, shape=(5000,))
ld50 = -draws[:, 0] / draws[:, 1]
low, high = jnp.quantile(ld50, jnp.array([0.05, 0.95]))
print(f"LD50 between {low:.3f} and {high:.3f}")
