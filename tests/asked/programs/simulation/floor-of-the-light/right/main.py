"""Fit the depth of a planet's transit."""
import jax
import jax.numpy as jnp


def transit(params, times):
    """The light of the star, which the planet dims for a while."""
    distance = jnp.abs(times - params["centre"]) / params["width"]
    shadow = params["depth"] * (1.0 - distance**2)
    return 1.0 - jnp.maximum(shadow, jnp.zeros_like(shadow))


def loss_fn(params, times, light):
    return jnp.sum((transit(params, times) - light) ** 2)


@jax.jit
def step(params, times, light):
    loss, grads = jax.value_and_grad(loss_fn)(params, times, light)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), loss


if __name__ == "__main__":
    times = jnp.linspace(0.0, 1.0, 40)
    truth = {"centre": 0.5, "width": 0.2, "depth": 0.3}
    light = 1.0 - jnp.clip(0.3 * (1.0 - ((times - 0.5) / 0.2) ** 2), 0.0)
    params = {"centre": jnp.array(0.45), "width": jnp.array(0.25), "depth": jnp.array(0.2)}
    losses = []
    for _ in range(8):
        params, loss = step(params, times, light)
        losses.append(loss)
    print("parameters", sorted(truth))
    print("better", bool(losses[-1] < losses[0]))
