import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class ReliabilityDiagram:
    num_bins: int = 10

    def __post_init__(self):
        self.reset()

    def reset(self):
        self.confidence_sum = jnp.zeros(self.num_bins)
        self.correct_sum = jnp.zeros(self.num_bins)
        self.total = 0

    def add_batch(self, logits, labels):
        probs = jax.nn.softmax(logits, axis=-1)
        confidence = probs.max(axis=-1)
        correct = (probs.argmax(axis=-1) == labels).astype(jnp.float32)
        bins = jnp.clip((confidence * self.num_bins).astype(jnp.int32), 0, self.num_bins - 1)
        self.confidence_sum = self.confidence_sum.at[bins].add(confidence)
        self.correct_sum = self.correct_sum.at[bins].add(correct)
        self.total += labels.shape[0]

    def expected_calibration_error(self) -> float:
        gap = jnp.abs(self.confidence_sum - self.correct_sum)
        return float(gap.sum() / self.total)

    def accuracy(self) -> float:
        return float(self.correct_sum.sum() / self.total)
