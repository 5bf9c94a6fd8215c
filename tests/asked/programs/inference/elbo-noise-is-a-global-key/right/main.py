"""Variational inference for a skewed posterior."""
import jax
import jax.numpy as jnp
import optax

KEY = jax.random.key(0)
optimizer = optax.adam(0.05)


def log_density(z):
    return z - jnp.exp(z)


@jax.jit
def negative_elbo(params, key):
    noise = jax.random.normal(key, (4,))
    z = params["mean"] + jnp.exp(params["log_std"]) * noise
    return -jnp.mean(log_density(z)) - params["log_std"]


def main():
    params = {"mean": jnp.zeros(()), "log_std": jnp.zeros(())}
    opt_state = optimizer.init(params)
    estimates = []
    for step in range(100):
        key = jax.random.fold_in(KEY, step)
        grads = jax.grad(negative_elbo)(params, key)
        estimates.append(float(negative_elbo({"mean": 0.0, "log_std": 0.0}, key)))
        updates, opt_state = optimizer.update(grads, opt_state)
        params = optax.apply_updates(params, updates)
    print("different estimates at one point:", len(set(estimates)) > 1)


if __name__ == "__main__":
    main()
