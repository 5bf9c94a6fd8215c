import jax
import jax.numpy as jnp
import optax
from flax import linen as nn


class VAE(nn.Module):
    latent: int = 2

    @nn.compact
    def __call__(self, x, key):
        hidden = nn.relu(nn.Dense(32)(x))
        mean = nn.Dense(self.latent)(hidden)
        log_variance = nn.Dense(self.latent)(hidden)
        noise = jax.random.normal(key, mean.shape)
        z = mean + jnp.exp(0.5 * log_variance) * noise
        decoded = nn.Dense(x.shape[-1])(nn.relu(nn.Dense(32)(z)))
        return decoded, mean, log_variance


model = VAE()
optimizer = optax.adam(5e-3)


def loss_fn(params, key, x):
    decoded, mean, log_variance = model.apply({"params": params}, x, key)
    error = jnp.mean(jnp.sum((decoded - x) ** 2, axis=-1))
    kl = -0.5 * jnp.mean(jnp.sum(1.0 + log_variance - mean**2 - jnp.exp(log_variance), axis=-1))
    return error + 0.1 * kl, {"error": error, "kl": kl}


@jax.jit
def step(params, opt_state, key, x):
    (_, parts), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, key, x)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, parts


def fit(key, x, n_steps):
    key_init, key_noise, key = jax.random.split(key, 3)
    params = model.init(key_init, x[:1], key_noise)["params"]
    opt_state = optimizer.init(params)
    history = []
    for i in range(n_steps):
        params, opt_state, parts = step(params, opt_state, jax.random.fold_in(key, i), x)
        if i % 20 == 19:
            history.append((i + 1, parts))
    return history
