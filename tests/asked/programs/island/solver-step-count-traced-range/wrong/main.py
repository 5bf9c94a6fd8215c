import jax
import jax.numpy as jnp
import numpy as np
import optax

from epidemic import SIRParams, heun_solve


def observe(seed=4):
    true = SIRParams(log_beta=jnp.log(0.9), log_gamma=jnp.log(0.3))
    clean = heun_solve(true, jnp.array([0.99, 0.01, 0.0]), 1.0, 12)
    noise = np.random.default_rng(seed).normal(size=clean.shape[0])
    return clean[:, 1] + 0.003 * noise


def main():
    infected = observe()
    y0 = jnp.array([0.99, 0.01, 0.0])

    def loss_fn(params):
        trajectory = heun_solve(params, y0, 1.0, 12)
        return jnp.mean((trajectory[:, 1] - infected) ** 2)

    params = SIRParams(log_beta=jnp.log(0.6), log_gamma=jnp.log(0.5))
    tx = optax.adam(5e-2)
    opt_state = tx.init(params)
    value_and_grad = jax.jit(jax.value_and_grad(loss_fn))
    for i in range(150):
        loss, grads = value_and_grad(params)
        updates, opt_state = tx.update(grads, opt_state)
        params = optax.apply_updates(params, updates)
        if i % 50 == 0:
            print(f"iteration {i} loss {float(loss):.2e}")
    print("beta", round(float(jnp.exp(params.log_beta)), 2), "gamma", round(float(jnp.exp(params.log_gamma)), 2))


if __name__ == "__main__":
    main()
