import numpy as np

from ensemble import DeepEnsemble, EnsembleConfig


def hand_scans(rng, count, size=12):
    ages = rng.uniform(2.0, 16.0, count)
    rows = np.arange(size)[None, :, None]
    growth = np.exp(-((rows - ages[:, None, None] * 0.6) ** 2) / 8.0)
    images = growth + 0.1 * rng.normal(size=(count, size, size))
    return images[..., None].astype(np.float32), (ages / 10.0).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    ensemble = DeepEnsemble(EnsembleConfig())
    for _ in range(60):
        losses = ensemble.fit_batch(*hand_scans(rng, 32))
    print("losses", [round(float(loss), 4) for loss in losses])
    images, ages = hand_scans(rng, 64)
    mean, spread = ensemble.predict(images)
    strange = rng.normal(size=images.shape).astype(np.float32)
    _, strange_spread = ensemble.predict(strange)
    print(f"error {np.abs(mean - ages).mean():.3f} years/10")
    print(f"spread on scans {spread.mean():.4f}, on noise {strange_spread.mean():.4f}")


if __name__ == "__main__":
    main()
