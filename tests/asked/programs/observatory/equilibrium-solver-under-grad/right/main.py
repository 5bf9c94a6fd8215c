import jax
import jax.numpy as jnp
import numpy as np
import optax

from chemistry import solve_ph

totals = jnp.array([1e-3, 3e-3, 1e-2, 3e-2, 1e-1])
true_log_k = jnp.log(jnp.array([5e-4, 2e-6]))


def model(log_k):
    return jax.vmap(lambda c: solve_ph(log_k, c))(totals)


def loss(log_k, observed):
    return jnp.mean((model(log_k) - observed) ** 2)


def calibrate(observed, steps=150):
    tx = optax.adam(5e-2)

    @jax.jit
    def update(log_k, opt_state):
        value, grads = jax.value_and_grad(loss)(log_k, observed)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(log_k, updates), opt_state, value

    log_k = jnp.log(jnp.array([1e-4, 1e-6]))
    opt_state = tx.init(log_k)
    for _ in range(steps):
        log_k, opt_state, value = update(log_k, opt_state)
    return log_k, value


def main():
    rng = np.random.default_rng(1)
    observed = np.asarray(model(true_log_k)) + 0.005 * rng.normal(size=totals.size).astype(np.float32)
    log_k, value = calibrate(observed)
    print("pK", np.round(-np.asarray(log_k) / np.log(10), 2), "mse %.2e" % value)


if __name__ == "__main__":
    main()
