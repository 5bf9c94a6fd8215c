import jax
import jax.numpy as jnp
import optax


def cosine_alpha_bar(t):
    return jnp.cos(0.5 * jnp.pi * t) ** 2


def make_train_step(model, tx, alpha_bar):
    def loss_fn(params, x0, t, eps):
        ab = alpha_bar(t)[:, None]
        noisy = jnp.sqrt(ab) * x0 + jnp.sqrt(1.0 - ab) * eps
        return jnp.mean((model.apply(params, noisy, t) - eps) ** 2)

    @jax.jit
    def train_step(params, opt_state, x0, key):
        t_key, eps_key = jax.random.split(key)
        t = jax.random.uniform(t_key, (x0.shape[0],), minval=0.02, maxval=0.98)
        eps = jax.random.normal(eps_key, x0.shape)
        loss, grads = jax.value_and_grad(loss_fn)(params, x0, t, eps)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss, t

    return train_step
