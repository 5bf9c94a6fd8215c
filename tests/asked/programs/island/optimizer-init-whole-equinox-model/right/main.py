import jax
import numpy as np

from networks import DigitCNN
from train import Trainer, accuracy


def make_shapes(n: int, seed: int):
    """Images with a bright horizontal, vertical or diagonal bar."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, size=n)
    images = 0.2 * rng.normal(size=(n, 1, 12, 12))
    for i, label in enumerate(labels):
        k = rng.integers(2, 10)
        if label == 0:
            images[i, 0, k, :] += 1
        elif label == 1:
            images[i, 0, :, k] += 1
        else:
            images[i, 0, np.arange(12), np.arange(12)] += 1
    return images.astype(np.float32), labels.astype(np.int32)


def main():
    images, labels = make_shapes(256, seed=0)
    test_images, test_labels = make_shapes(128, seed=1)
    model = DigitCNN(num_classes=3, key=jax.random.key(5))
    trainer = Trainer(model, learning_rate=3e-3)
    for epoch in range(6):
        losses = [trainer.fit_batch(images[i : i + 64], labels[i : i + 64]) for i in range(0, 256, 64)]
        print(f"epoch {epoch} loss {np.mean([float(x) for x in losses]):.3f}")
    print("test accuracy", float(accuracy(trainer.model, test_images, test_labels)))


if __name__ == "__main__":
    main()
