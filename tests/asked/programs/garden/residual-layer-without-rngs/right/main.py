import jax.numpy as jnp
import optax
from flax import nnx

from resmlp import ResMLP
from tabular import housing_table, standardize


@nnx.jit
def train_step(model: ResMLP, optimizer: nnx.Optimizer, x, y):
    def loss_fn(model):
        return jnp.mean((model(x) - y) ** 2)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def r2_score(model, x, y):
    residual = jnp.sum((model(x) - y) ** 2)
    return 1 - residual / jnp.sum((y - y.mean()) ** 2)


def main():
    x, y = housing_table(320)
    x_train, x_test = standardize(x[:256], x[256:])
    model = ResMLP(x.shape[1], width=32, depth=2, rngs=nnx.Rngs(params=0))
    optimizer = nnx.Optimizer(model, optax.adamw(3e-3), wrt=nnx.Param)
    for epoch in range(60):
        loss = train_step(model, optimizer, x_train, y[:256])
        if epoch % 20 == 0:
            print(f"epoch {epoch} mse {float(loss):.3f}")
    print("test r2", round(float(r2_score(model, x_test, y[256:])), 3))


if __name__ == "__main__":
    main()
