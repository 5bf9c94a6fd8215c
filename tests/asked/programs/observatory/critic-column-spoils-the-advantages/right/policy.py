from typing import Sequence

import flax.linen as nn


class ActorCritic(nn.Module):
    n_actions: int
    hidden: Sequence[int] = (32,)

    @nn.compact
    def __call__(self, obs):
        h = obs
        for width in self.hidden:
            h = nn.tanh(nn.Dense(width)(h))
        logits = nn.Dense(self.n_actions, kernel_init=nn.initializers.normal(0.01))(h)
        return logits, nn.Dense(1)(h)
