import jax
import jax.numpy as jnp
import optax
from flax import nnx

from risk import RiskModel


def patients(key, n):
    key_x, key_y = jax.random.split(key)
    x = jax.random.normal(key_x, (n, 5))
    risk = jax.nn.sigmoid(2.0 * x[:, 0] - 1.5 * x[:, 1] + x[:, 2] * x[:, 3])
    return x, jax.random.bernoulli(key_y, risk).astype(jnp.float32)


@nnx.jit
def train_step(model, optimizer, x, y):
    def loss_fn(model):
        return optax.sigmoid_binary_cross_entropy(model(x), y).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def predict(model, x):
    return jax.nn.sigmoid(model(x))


def main():
    x, y = patients(jax.random.key(61), 300)
    model = RiskModel(hidden=32, rngs=nnx.Rngs(params=1, dropout=2))
    optimizer = nnx.Optimizer(model, optax.adam(5e-3), wrt=nnx.Param)
    model.train()
    for _ in range(60):
        loss = train_step(model, optimizer, x, y)
    print("trained", bool(loss < 0.6))

    model.eval()
    first = predict(model, x[:5])
    second = predict(model, x[:5])
    print("largest difference", round(float(jnp.abs(first - second).max()), 3))


if __name__ == "__main__":
    main()
