import flax.linen as nn
import jax.numpy as jnp


class SatisfactionModel(nn.Module):
    """Predicts the satisfaction score of a customer from the answers to a survey."""

    n_questions: int
    width: int = 64
    drop: float = 0.5

    @nn.compact
    def __call__(self, answers, training: bool = True):
        x = nn.one_hot(answers, 6).reshape(answers.shape[0], -1)
        x = nn.Dropout(self.drop, deterministic=not training)(nn.relu(nn.Dense(self.width)(x)))
        x = nn.Dropout(self.drop, deterministic=not training)(nn.relu(nn.Dense(self.width)(x)))
        return jnp.squeeze(nn.Dense(1)(x), -1)
