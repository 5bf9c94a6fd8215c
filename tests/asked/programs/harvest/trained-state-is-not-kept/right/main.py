import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class Autoencoder(nn.Module):
    code: int
    size: int

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(32)(x))
        x = nn.Dense(self.code)(x)
        x = nn.relu(nn.Dense(32)(x))
        return nn.Dense(self.size)(x)


def create_state(key, size, learning_rate):
    model = Autoencoder(code=3, size=size)
    params = model.init(key, jnp.zeros((1, size)))["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(learning_rate))


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        rebuilt = state.apply_fn({"params": params}, batch)
        return jnp.mean((rebuilt - batch) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    state = state.apply_gradients(grads=grads)
    return state, loss


def spectra(key, n, size):
    """Sums of three peaks of random height."""
    centres = jnp.array([0.2, 0.5, 0.8])
    grid = jnp.linspace(0.0, 1.0, size)
    peaks = jnp.exp(-(((grid[None, :] - centres[:, None]) / 0.08) ** 2))
    heights = jax.random.exponential(key, (n, 3))
    return heights @ peaks


def main(size=40):
    key_data, key_model = jax.random.split(jax.random.key(50))
    data = spectra(key_data, 256, size)
    state = create_state(key_model, size, learning_rate=5e-3)
    for epoch in range(12):
        for batch in data.reshape(8, 32, size):
            state, loss = train_step(state, batch)
        if epoch % 4 == 3:
            print("epoch", epoch + 1, "loss", round(float(loss), 3))
    print("steps taken", int(state.step))


if __name__ == "__main__":
    main()
