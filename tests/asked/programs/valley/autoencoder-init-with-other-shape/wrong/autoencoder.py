import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class AutoEncoder(nn.Module):
    bottleneck: int
    out_features: int

    def setup(self):
        self.encoder = nn.Sequential([nn.Dense(32), nn.relu, nn.Dense(self.bottleneck)])
        self.decoder = nn.Sequential([nn.Dense(32), nn.relu, nn.Dense(self.out_features)])

    def __call__(self, x):
        return nn.sigmoid(self.decoder(self.encoder(x)))


def create_train_state(model, rng, example, learning_rate):
    params = jax.jit(model.init)(rng, example)["params"]
    return train_state.TrainState.create(
        apply_fn=model.apply, params=params, tx=optax.adam(learning_rate)
    )


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        recon = state.apply_fn({"params": params}, batch)
        return jnp.mean((recon - batch) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def reconstruct(state, batch):
    return state.apply_fn({"params": state.params}, batch)
