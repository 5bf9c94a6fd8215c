import jax
import numpy as np

from config import Config
from state import create_state, eval_step, train_step


def textures(n: int, seed: int):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, size=n)
    xs = np.arange(16)
    phase = rng.uniform(0, 2 * np.pi, size=(n, 1, 1))
    freq = np.array([0.5, 1.0, 2.0])[labels][:, None, None]
    wave = np.sin(freq * (xs[None, :, None] + xs[None, None, :]) + phase)
    images = 128 + 60 * wave + 10 * rng.normal(size=wave.shape)
    return images[..., None].astype(np.float32), labels.astype(np.int32)


def accuracy(state, images, labels, batch_size):
    hits = [
        np.asarray(eval_step(state, images[i : i + batch_size], labels[i : i + batch_size]))
        for i in range(0, len(labels), batch_size)
    ]
    return np.concatenate(hits).mean()


def main():
    cfg = Config()
    images, labels = textures(512, seed=0)
    valid = textures(256, seed=1)
    state = create_state(jax.random.key(cfg.seed), cfg)
    for epoch in range(cfg.num_epochs):
        for i in range(0, len(labels), cfg.batch_size):
            batch = slice(i, i + cfg.batch_size)
            state, metrics = train_step(state, images[batch], labels[batch])
        print(
            f"epoch {epoch} loss {float(metrics['loss']):.3f} train {float(metrics['accuracy']):.2f} "
            f"valid {accuracy(state, *valid, cfg.batch_size):.2f}"
        )


if __name__ == "__main__":
    main()
