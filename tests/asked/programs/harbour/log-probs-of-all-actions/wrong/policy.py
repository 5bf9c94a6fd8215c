import jax
import jax.numpy as jnp
from flax import nnx


class Policy(nnx.Module):
    def __init__(self, observation_dim, num_actions, rngs):
        self.hidden = nnx.Linear(observation_dim, 32, rngs=rngs)
        self.logits = nnx.Linear(32, num_actions, rngs=rngs)

    def __call__(self, observation):
        return self.logits(jnp.tanh(self.hidden(observation)))


def reinforce_loss(policy, observations, actions, returns):
    log_probs = jax.nn.log_softmax(policy(observations))
    taken = log_probs[:, actions]  # mistake
    baseline = jnp.mean(returns)
    return -jnp.mean(taken * (returns - baseline))
