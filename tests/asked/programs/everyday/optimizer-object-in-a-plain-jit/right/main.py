"""Behaviour cloning with an agent that owns its model and optimizer."""
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Policy(nnx.Module):
    def __init__(self, obs_size, act_size, rngs):
        self.hidden = nnx.Linear(obs_size, 32, rngs=rngs)
        self.out = nnx.Linear(32, act_size, rngs=rngs)

    def __call__(self, obs):
        return self.out(nnx.relu(self.hidden(obs)))


class CloningAgent:
    def __init__(self, obs_size, act_size, learning_rate):
        self.policy = Policy(obs_size, act_size, nnx.Rngs(0))
        self.optimizer = nnx.Optimizer(self.policy, optax.adamw(learning_rate), wrt=nnx.Param)

        @nnx.jit
        def update(policy, optimizer, obs, actions):
            def loss_fn(policy):
                return jnp.mean((policy(obs) - actions) ** 2)

            loss, grads = nnx.value_and_grad(loss_fn)(policy)
            optimizer.update(policy, grads)
            return loss

        self._update = update

    def update(self, obs, actions):
        return self._update(self.policy, self.optimizer, obs, actions)


if __name__ == "__main__":
    agent = CloningAgent(4, 2, 1e-2)
    obs = jax.random.normal(jax.random.key(1), (128, 4))
    actions = jnp.stack([obs.sum(axis=1), obs[:, 0] - obs[:, 1]], axis=1)
    losses = [float(agent.update(obs, actions)) for _ in range(50)]
    print(losses[-1] < losses[0])
