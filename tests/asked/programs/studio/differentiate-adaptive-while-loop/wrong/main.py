import jax
import jax.numpy as jnp
import numpy as np
import optax

from odesolve import adaptive_solve

TIMES = np.array([1.0, 2.0, 3.0], np.float32)


def lotka_volterra(log_rates):
    a, b, c, d = jnp.exp(log_rates)

    def f(y, t):
        prey, pred = y
        return jnp.stack([a * prey - b * prey * pred, d * prey * pred - c * pred])

    return f


def predict(log_rates, y0):
    solve = lambda t1: adaptive_solve(lotka_volterra(log_rates), y0, t1)
    return jax.vmap(solve)(TIMES)


def loss_fn(log_rates, y0, observed):
    pred, _ = predict(log_rates, y0)
    return jnp.mean((jnp.log(pred) - jnp.log(observed)) ** 2)


tx = optax.adam(0.05)


@jax.jit
def step(log_rates, opt_state, y0, observed):
    loss, grads = jax.value_and_grad(loss_fn)(log_rates, y0, observed)  # mistake
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(log_rates, updates), opt_state, loss


def main():
    y0 = jnp.array([1.0, 0.5])
    true = jnp.log(jnp.array([1.1, 0.6, 0.9, 0.5]))
    observed, counts = jax.jit(predict)(true, y0)
    print("solver steps", [int(c) for c in counts])
    log_rates = jnp.zeros(4)
    opt_state = tx.init(log_rates)
    for i in range(61):
        log_rates, opt_state, loss = step(log_rates, opt_state, y0, observed)
        if i % 20 == 0:
            print(f"{i} {loss:.5f}")


if __name__ == "__main__":
    main()
