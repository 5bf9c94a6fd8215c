"""Train an autoencoder and look at its codes."""
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from autoencoder import AutoEncoder

model = AutoEncoder(code=3, features=10)


@jax.jit
def train_step(state, x):
    def loss_fn(params):
        return jnp.mean((state.apply_fn({"params": params}, x) - x) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    x = jax.random.normal(jax.random.key(0), (64, 10))
    variables = model.init(jax.random.key(1), x)
    state = TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-2))
    for _ in range(20):
        state, loss = train_step(state, x)
    codes = model.apply({"params": state.params}, x, method=model.encode)
    print(codes.shape)


if __name__ == "__main__":
    main()
