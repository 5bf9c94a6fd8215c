"""Train with batch norm, then evaluate with the running statistics."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.BatchNorm(use_running_average=not train, momentum=0.8)(x)
        return nn.Dense(1)(x)[:, 0]


model = Net()
optimizer = optax.sgd(0.05)


def data(n=128):
    rng = np.random.default_rng(1)
    x = (5.0 + 3.0 * rng.normal(size=(n, 4))).astype(np.float32)
    return x, (x @ np.array([1.0, -1.0, 0.5, 0.0], np.float32))


@jax.jit
def train_step(params, stats, opt_state, x, y):
    def loss_fn(params):
        predicted, changed = model.apply(
            {"params": params, "batch_stats": stats}, x, train=True, mutable=["batch_stats"]
        )
        return jnp.mean((predicted - y) ** 2), changed["batch_stats"]

    (loss, _), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)  # mistake
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), stats, opt_state, loss


def main():
    x, y = data()
    variables = model.init(jax.random.key(0), x, train=False)
    params, stats = variables["params"], variables["batch_stats"]
    opt_state = optimizer.init(params)
    for _ in range(200):
        params, stats, opt_state, loss = train_step(params, stats, opt_state, x, y)
    evaluated = model.apply({"params": params, "batch_stats": stats}, x, train=False)
    print("train good", float(loss) < 0.1, "evaluation good", float(jnp.mean((evaluated - y) ** 2)) < 0.1)


if __name__ == "__main__":
    main()
