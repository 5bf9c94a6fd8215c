import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from network import DrugResponse


def mse(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@nnx.jit
def train_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(mse)(model, x, y)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def eval_step(model, x, y):
    pred = model(x)
    residual = ((pred - y) ** 2).sum()
    return 1.0 - residual / ((y - y.mean()) ** 2).sum()


def expression_data(rng, n, genes=12):
    x = rng.normal(size=(n, genes)).astype(np.float32)
    y = x[:, 0] - 0.7 * x[:, 1] + 0.4 * np.tanh(2 * x[:, 2])
    return x, y.astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    model = DrugResponse(12, 48, rate=0.4, rngs=nnx.Rngs(0, dropout=1))
    optimizer = nnx.Optimizer(model, optax.adamw(3e-3), wrt=nnx.Param)
    for step in range(150):
        loss = train_step(model, optimizer, *expression_data(rng, 64))
        if step % 50 == 0:
            print(f"step {step} loss {loss:.3f}")
    x_test, y_test = expression_data(rng, 200)
    model.eval()
    scores = [float(eval_step(model, x_test, y_test)) for _ in range(3)]
    print("test r2", [round(s, 4) for s in scores])


if __name__ == "__main__":
    main()
