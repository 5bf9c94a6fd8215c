import numpy as np
import optax
from flax import nnx

from mixer import MixerClassifier
from steps import eval_step, train_step


def blobs(n: int, seed: int):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 4, size=n)
    grid = np.stack(np.meshgrid(np.arange(16), np.arange(16), indexing="ij"), axis=-1)
    centers = np.array([[4, 4], [4, 11], [11, 4], [11, 11]])[labels] + rng.normal(size=(n, 2))
    dist = ((grid[None] - centers[:, None, None]) ** 2).sum(-1)
    images = np.exp(-dist / 6.0) + 0.3 * rng.normal(size=dist.shape)
    return images[..., None].astype(np.float32), labels.astype(np.int32)


def main():
    model = MixerClassifier(image_size=16, patch=4, width=32, depth=2, num_classes=4, rngs=nnx.Rngs(0))
    schedule = optax.warmup_cosine_decay_schedule(0.0, 3e-3, 10, 80)
    optimizer = nnx.Optimizer(model, optax.adamw(schedule), wrt=nnx.Param)
    metrics = nnx.MultiMetric(accuracy=nnx.metrics.Accuracy(), loss=nnx.metrics.Average("loss"))

    images, labels = blobs(512, seed=0)
    test = blobs(256, seed=1)
    for epoch in range(5):
        metrics.reset()
        for i in range(0, 512, 32):
            train_step(model, optimizer, metrics, images[i : i + 32], labels[i : i + 32])
        summary = {k: round(float(v), 3) for k, v in metrics.compute().items()}
        print("epoch", epoch, summary)
    print("test accuracy", float(eval_step(model, *test)))


if __name__ == "__main__":
    main()
