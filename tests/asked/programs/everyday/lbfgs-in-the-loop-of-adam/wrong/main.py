"""Calibrate a decay model on a few measurements."""
import jax
import jax.numpy as jnp
import optax

times = jnp.linspace(0.0, 4.0, 40)
measured = 2.5 * jnp.exp(-0.7 * times) + 0.3


def loss_fn(params):
    predicted = params["amplitude"] * jnp.exp(-params["rate"] * times) + params["offset"]
    return jnp.mean((predicted - measured) ** 2)


def fit(steps=30):
    params = {"amplitude": jnp.array(1.0), "rate": jnp.array(0.1), "offset": jnp.array(0.0)}
    solver = optax.lbfgs(learning_rate=1.0)
    state = solver.init(params)

    @jax.jit
    def step(params, state):
        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, state = solver.update(grads, state, params)  # mistake
        return optax.apply_updates(params, updates), state, loss

    for _ in range(steps):
        params, state, loss = step(params, state)
    return params, loss


if __name__ == "__main__":
    params, loss = fit()
    print(bool(loss < 1e-3))
