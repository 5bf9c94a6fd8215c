import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from networks import DropoutMLP
from runner import accuracy, fit_epoch, predict_probs


def checkerboard(rng, n):
    x = rng.uniform(-1, 1, size=(n, 2))
    y = (np.floor(2 * x[:, 0]) + np.floor(2 * x[:, 1])) % 2
    return jnp.asarray(x, jnp.float32), jnp.asarray(y, jnp.int32)


def main():
    rng = np.random.default_rng(10)
    train, valid = checkerboard(rng, 1024), checkerboard(rng, 256)
    model = DropoutMLP(2, 64, 2, rate=0.3, rngs=nnx.Rngs(params=0, dropout=1))
    optimizer = nnx.Optimizer(model, optax.adam(5e-3), wrt=nnx.Param)
    for epoch in range(20):
        loss = fit_epoch(model, optimizer, train, batch_size=128, seed=epoch)
        if epoch % 5 == 4:
            print(epoch, "loss", round(loss, 3), "valid", round(accuracy(model, *valid), 3))

    model.eval()
    first = predict_probs(model, valid[0])
    second = predict_probs(model, valid[0])
    print("difference of two runs", float(jnp.abs(first - second).max().round(3)))


if __name__ == "__main__":
    main()
