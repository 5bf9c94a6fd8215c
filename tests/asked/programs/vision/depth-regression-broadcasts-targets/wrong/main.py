"""Predict the distance of a wall from five ultrasonic features."""
import jax
import jax.numpy as jnp
import numpy as np
import optax

from model import DepthNet

model = DepthNet()
optimizer = optax.adam(1e-2)


def readings(n=64):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 5)).astype(np.float32)
    y = (2.0 * x[:, 0] - x[:, 1] + 0.5).astype(np.float32)
    return jnp.asarray(x), jnp.asarray(y)


@jax.jit
def train_step(params, opt_state, x, y):
    def loss_fn(params):
        predicted = model.apply(params, x)
        return jnp.mean((predicted - y) ** 2)  # mistake

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    x, y = readings()
    params = model.init(jax.random.key(0), x)
    opt_state = optimizer.init(params)
    for _ in range(300):
        params, opt_state, loss = train_step(params, opt_state, x, y)
    spread = float(jnp.std(model.apply(params, x)))
    print("fits", float(loss) < 0.5, "varies", spread > 0.5)


if __name__ == "__main__":
    main()
