import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from evaluation import ConfusionMatrix


class Classifier(nnx.Module):
    def __init__(self, din, dhidden, dout, rngs):
        self.inp = nnx.Linear(din, dhidden, rngs=rngs)
        self.norm = nnx.LayerNorm(dhidden, rngs=rngs)
        self.out = nnx.Linear(dhidden, dout, rngs=rngs)

    def __call__(self, x):
        return self.out(nnx.relu(self.norm(self.inp(x))))


def cross_entropy(model, x, y):
    return optax.softmax_cross_entropy_with_integer_labels(model(x), y).mean()


@nnx.jit
def step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(cross_entropy)(model, x, y)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def predict(model, x):
    return jnp.argmax(model(x), axis=-1)


def blobs(seed, n):
    rng = np.random.default_rng(seed)
    centers = np.array([[0, 0, 2], [2, 0, 0], [0, 2, 0], [1, 1, 1]])
    y = rng.integers(0, len(centers), n)
    return (centers[y] + 0.5 * rng.normal(size=(n, 3))).astype(np.float32), y


def evaluate(model, x, y, batch_size=50):
    matrix = ConfusionMatrix(num_classes=4)
    for i in range(0, len(x), batch_size):
        predictions = predict(model, x[i : i + batch_size])
        matrix.update(y[i : i + batch_size], predictions)
    return matrix


def main():
    x, y = blobs(0, 400)
    model = Classifier(3, 32, 4, nnx.Rngs(jax.random.key(0)))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    for i in range(40):
        idx = np.random.default_rng(i).choice(400, 50, replace=False)
        step(model, optimizer, x[idx], y[idx])
    matrix = evaluate(model, *blobs(1, 200))
    print("accuracy", round(matrix.accuracy(), 3), "macro f1", round(matrix.macro_f1(), 3))
    print("recall", np.round(matrix.per_class_recall(), 2))


if __name__ == "__main__":
    main()
