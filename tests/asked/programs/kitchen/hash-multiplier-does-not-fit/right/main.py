import numpy as np
import optax
from flax import nnx

from hashing import HashedColumns
from model import ClickModel


def make_clicks(rng, rows):
    site = rng.integers(0, 5000, rows)
    device = rng.integers(0, 40, rows)
    hour = rng.integers(0, 24, rows)
    score = np.sin(device / 5.0) + 0.5 * (hour > 17)
    clicked = (score + rng.normal(0.0, 0.3, rows) > 0.4).astype(np.float32)
    return np.stack([site, device, hour], axis=1).astype(np.int32), clicked


@nnx.jit
def train_step(model, optimizer, codes, clicked):
    def loss_fn(model):
        return optax.sigmoid_binary_cross_entropy(model(codes), clicked).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def accuracy(model, codes, clicked):
    return ((model(codes) > 0) == (clicked > 0.5)).mean()


def main():
    rng = np.random.default_rng(11)
    codes, clicked = make_clicks(rng, 4096)
    test_codes, test_clicked = make_clicks(rng, 1024)
    model = ClickModel(HashedColumns(3, 512), 8, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    for epoch in range(3):
        order = rng.permutation(len(codes)).reshape(-1, 256)
        for rows in order:
            loss = train_step(model, optimizer, codes[rows], clicked[rows])
        print(f"epoch {epoch}: loss {loss:.3f}")
    print(f"test accuracy {accuracy(model, test_codes, test_clicked):.3f}")


if __name__ == "__main__":
    main()
