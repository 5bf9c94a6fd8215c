"""Fit a decaying oscillation."""
import jax
import jax.numpy as jnp


def create():
    return {
        "amplitude": jnp.array(1.0),
        "decay": jnp.array(0.5),
        "frequency": jnp.array(3.0),
        "step": jnp.array(0),  # mistake
    }


def predict(params, times):
    envelope = params["amplitude"] * jnp.exp(-params["decay"] * times)
    return envelope * jnp.cos(params["frequency"] * times)


def loss_fn(params, times, heights):
    return jnp.mean((predict(params, times) - heights) ** 2)


@jax.jit
def step(params, times, heights):
    loss, grads = jax.value_and_grad(loss_fn)(params, times, heights)  # mistake
    rate = 0.1 / (1.0 + 0.1 * params["step"])
    params = {name: params[name] - rate * grads[name] for name in params}
    params["step"] = params["step"] + 1
    return params, loss


if __name__ == "__main__":
    times = jnp.linspace(0.0, 5.0, 40)
    heights = 1.2 * jnp.exp(-0.4 * times) * jnp.cos(3.1 * times)
    params = create()
    losses = []
    for _ in range(8):
        params, loss = step(params, times, heights)
        losses.append(loss)
    print("better", bool(losses[-1] < losses[0]))
