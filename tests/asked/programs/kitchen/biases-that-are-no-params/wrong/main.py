import numpy as np
import optax
from flax import nnx

from fm import FactorizationMachine
from trainer import Trainer

USERS, ITEMS = 200, 40


def simulate(rng, size):
    quality = np.linspace(-1.5, 1.5, ITEMS)
    user = rng.integers(0, USERS, size).astype(np.int32)
    item = rng.integers(0, ITEMS, size).astype(np.int32)
    rating = 3.0 + quality[item] + rng.normal(0.0, 0.5, size)
    return {"user": user, "item": item, "rating": rating.astype(np.float32)}


def main():
    ratings = simulate(np.random.default_rng(0), 8192)
    model = FactorizationMachine(USERS, ITEMS, dim=4, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(2e-2), wrt=nnx.Param)
    Trainer(model, optimizer).run(ratings, epochs=4)
    bias = np.asarray(model.item_bias[...])
    print(f"mean rating {float(model.mean[...]):.2f}")
    print("item biases", np.round(bias[[0, ITEMS // 2, ITEMS - 1]], 2))


if __name__ == "__main__":
    main()
