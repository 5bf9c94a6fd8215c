from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
import numpy as np


@dataclass
class SoftmaxPolicy:
    num_actions: int
    temperature: float = 1.0
    feature_scale: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.5]))

    def init(self, seed):
        rng = np.random.default_rng(seed)
        return {"w": jnp.asarray(rng.normal(size=(2, self.num_actions)), jnp.float32)}

    def logits(self, params, obs):
        return (obs * self.feature_scale) @ params["w"] / self.temperature

    def act(self, params, obs, key):
        probs = jax.nn.softmax(self.logits(params, obs))
        return np.random.choice(self.num_actions, p=probs)  # mistake

    def greedy(self, params, obs):
        return jnp.argmax(self.logits(params, obs))
