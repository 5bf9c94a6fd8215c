import jax.numpy as jnp


def alphas_cumprod(num_timesteps: int, beta_min=1e-3, beta_max=0.1):
    betas = jnp.linspace(beta_min, beta_max, num_timesteps)
    return jnp.cumprod(1.0 - betas)


def q_sample(x0, eps, abar_t):
    abar_t = abar_t[:, None, None]
    return jnp.sqrt(abar_t) * x0 + jnp.sqrt(1.0 - abar_t) * eps
