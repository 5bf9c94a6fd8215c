import numpy as np
from flax import nnx

from models import DemandNet
from trainer import Trainer


def order_batches(n_batches, batch_size, n_stores, seed):
    rng = np.random.default_rng(seed)
    store_level = rng.normal(0.5, 0.4, n_stores)
    for _ in range(n_batches):
        store = rng.integers(0, n_stores, batch_size)
        features = rng.normal(size=(batch_size, 5)).astype(np.float32)
        rate = np.exp(store_level[store] + 0.3 * features[:, 0])
        yield {"store": store, "features": features, "units": rng.poisson(rate).astype(np.float32)}


def main():
    model = DemandNet(n_stores=12, n_features=5, width=32, rngs=nnx.Rngs(0))
    trainer = Trainer(model, learning_rate=1e-2, total_steps=120)
    losses = trainer.fit(order_batches(120, 64, 12, seed=3))
    print(f"poisson loss {losses[:10].mean():.3f} -> {losses[-10:].mean():.3f}")


if __name__ == "__main__":
    main()
