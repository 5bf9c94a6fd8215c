"""Train a Linen model kept in a TrainState."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(16)(x))
        return nn.Dense(1)(x)[..., 0]


def create(key, features):
    model = Net()
    variables = model.init(key, jnp.zeros((1, features)))
    return TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-2))


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        predicted = state.apply_fn({"params": params}, x)
        return jnp.mean((predicted - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(64, 3)).astype(np.float32)
    y = x[:, 0] * x[:, 1]
    state = create(jax.random.key(0), 3)
    for _ in range(100):
        state, loss = train_step(state, x, y)
    print("learns", float(loss) < 0.9)


if __name__ == "__main__":
    main()
