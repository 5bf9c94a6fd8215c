import numpy as np
import optax

from classifier import Classifier
from trainer import Trainer


def spirals(rng, n):
    label = rng.integers(0, 2, size=n)
    r = rng.uniform(0.2, 1.0, size=n)
    angle = 5.0 * r + np.pi * label + 0.1 * rng.normal(size=n)
    x = np.stack([r * np.cos(angle), r * np.sin(angle)], axis=-1)
    return x.astype(np.float32), label.astype(np.int32)


def main():
    rng = np.random.default_rng(4)
    trainer = Trainer(Classifier(num_classes=2), optax.adamw(5e-3), seed=1)
    trainer.setup(np.zeros((1, 2), np.float32))
    for epoch in range(6):
        history = [trainer.fit_batch(*spirals(rng, 128)) for _ in range(25)]
        loss, acc = np.mean(history, axis=0)
        print(f"epoch {epoch} loss {loss:.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
