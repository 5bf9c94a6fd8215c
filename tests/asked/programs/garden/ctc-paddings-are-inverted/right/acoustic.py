import jax.numpy as jnp
import optax
from flax import linen as nn


class AcousticModel(nn.Module):
    n_tokens: int
    width: int

    @nn.compact
    def __call__(self, features):
        x = nn.relu(nn.Conv(self.width, kernel_size=(3,))(features))
        x = nn.relu(nn.Dense(self.width)(x))
        return nn.Dense(self.n_tokens)(x)


def ctc_objective(logits, batch):
    per_example = optax.ctc_loss(
        logits,
        1.0 - batch["frame_mask"],
        batch["labels"],
        1.0 - batch["label_mask"],
        blank_id=0,
    )
    return jnp.mean(per_example)
