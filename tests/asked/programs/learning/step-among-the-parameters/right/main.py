"""Fit a decaying oscillation."""
import jax
import jax.numpy as jnp


def create():
    return {
        "amplitude": jnp.array(1.0),
        "decay": jnp.array(0.5),
        "frequency": jnp.array(3.0),
    }


def predict(params, times):
    envelope = params["amplitude"] * jnp.exp(-params["decay"] * times)
    return envelope * jnp.cos(params["frequency"] * times)


def loss_fn(params, times, heights):
    return jnp.mean((predict(params, times) - heights) ** 2)


@jax.jit
def step(params, count, times, heights):
    loss, grads = jax.value_and_grad(loss_fn)(params, times, heights)
    rate = 0.1 / (1.0 + 0.1 * count)
    params = {name: params[name] - rate * grads[name] for name in params}
    return params, count + 1, loss


if __name__ == "__main__":
    times = jnp.linspace(0.0, 5.0, 40)
    heights = 1.2 * jnp.exp(-0.4 * times) * jnp.cos(3.1 * times)
    params = create()
    count = jnp.array(0)
    losses = []
    for _ in range(8):
        params, count, loss = step(params, count, times, heights)
        losses.append(loss)
    print("better", bool(losses[-1] < losses[0]))
