import jax.numpy as jnp
import numpy as np

from detector import AnomalyDetector


def latency_series(n=600, seed=0):
    rng = np.random.default_rng(seed)
    base = 120 + 15 * np.sin(2 * np.pi * np.arange(n) / 96)
    series = base + 4 * rng.standard_t(5, n)
    incidents = rng.choice(np.arange(100, n), 12, replace=False)
    series[incidents] += rng.uniform(20, 60, 12)
    truth = np.zeros(n, bool)
    truth[incidents] = True
    return jnp.asarray(series, jnp.float32), truth


def recall(alerts, truth):
    return np.mean(np.asarray(alerts)[truth])


def main():
    series, truth = latency_series()
    detector = AnomalyDetector(window=24, threshold=12.0)
    truth = truth[detector.window:]
    for _ in range(4):
        alerts = detector.alerts(series, detector.threshold)
        print(f"threshold {detector.threshold:5.2f}: {int(alerts.sum())} alerts, recall {recall(alerts, truth):.2f}")
        if recall(alerts, truth) >= 0.95:
            break
        detector.tighten(1.7)


if __name__ == "__main__":
    main()
