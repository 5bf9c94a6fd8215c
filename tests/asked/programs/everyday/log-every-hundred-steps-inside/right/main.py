"""Train with occasional logging."""
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


def predict(params, x):
    return jnp.tanh(x @ params["hidden"]) @ params["out"]


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        return jnp.mean((state.apply_fn(params, x) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    state = state.apply_gradients(grads=grads)
    return state, loss


def main():
    keys = jax.random.split(jax.random.key(0), 3)
    params = {"hidden": 0.5 * jax.random.normal(keys[0], (3, 16)), "out": 0.5 * jax.random.normal(keys[1], (16,))}
    state = TrainState.create(apply_fn=predict, params=params, tx=optax.adam(1e-2))
    x = jax.random.normal(keys[2], (64, 3))
    y = jnp.sin(x[:, 0])
    for _ in range(200):
        state, loss = train_step(state, x, y)
        if int(state.step) % 100 == 0:
            print("step", int(state.step), float(loss) < 0.5)


if __name__ == "__main__":
    main()
