"""Regression with a Linen model."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Regressor(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.silu(nn.Dense(24)(x)))[:, 0]


model = Regressor()
tx = optax.adam(1e-2)


def loss_fn(params, x, y):
    return jnp.mean((model.apply({"params": params}, x) - y) ** 2)


@jax.jit
def step(params, opt_state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    x = jax.random.normal(jax.random.key(0), (50, 2))
    y = x[:, 0] * x[:, 1]
    variables = model.init(jax.random.key(1), x)
    params = variables["params"]
    opt_state = tx.init(params)
    for _ in range(10):
        params, opt_state, loss = step(params, opt_state, x, y)
    print(bool(jnp.isfinite(loss)))


if __name__ == "__main__":
    main()
