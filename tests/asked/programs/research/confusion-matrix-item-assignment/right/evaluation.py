import jax.numpy as jnp


class ConfusionMatrix:
    def __init__(self, num_classes: int):
        self.num_classes = num_classes
        self.counts = jnp.zeros((num_classes, num_classes), jnp.int32)

    def update(self, labels, predictions):
        self.counts = self.counts.at[labels, predictions].add(1)

    def accuracy(self) -> float:
        return float(jnp.trace(self.counts) / self.counts.sum())

    def per_class_recall(self):
        support = self.counts.sum(axis=1)
        return jnp.diag(self.counts) / jnp.maximum(support, 1)

    def macro_f1(self) -> float:
        tp = jnp.diag(self.counts)
        denom = self.counts.sum(0) + self.counts.sum(1)
        return float(jnp.mean(2 * tp / jnp.maximum(denom, 1)))
