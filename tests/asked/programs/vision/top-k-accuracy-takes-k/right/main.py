"""Report top-1 and top-5 accuracy of fixed logits."""
import jax
import numpy as np

from metrics import per_class_recall, top_k_accuracy


def main():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, 50)
    logits = rng.normal(size=(50, 10)) + 1.5 * np.eye(10)[labels]
    report = {f"top{k}": float(top_k_accuracy(jax.numpy.asarray(logits), labels, k)) for k in (1, 5)}
    print({name: round(value, 2) for name, value in report.items()})
    print(per_class_recall(jax.numpy.asarray(logits), labels, 10).shape)


if __name__ == "__main__":
    main()
