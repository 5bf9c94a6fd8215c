import jax
import jax.numpy as jnp
import optax
from flax import linen as nn


class PriceModel(nn.Module):
    hidden: int = 24

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.hidden)(x))
        return nn.Dense(1)(x)


model = PriceModel()
optimizer = optax.adam(1e-2)


def predict(params, features):
    return model.apply({"params": params}, features)


def loss_fn(params, features, prices):
    predicted = predict(params, features)
    return jnp.mean((predicted - prices[:, None]) ** 2)


@jax.jit
def train_step(params, opt_state, features, prices):
    loss, grads = jax.value_and_grad(loss_fn)(params, features, prices)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def fit(key, features, prices, n_steps):
    params = model.init(key, features[:1])["params"]
    opt_state = optimizer.init(params)
    for _ in range(n_steps):
        params, opt_state, loss = train_step(params, opt_state, features, prices)
    return params, loss
