"""An agent with a linear value function."""
import jax.numpy as jnp
from flax import nnx


class Count(nnx.Variable):
    pass


traces = []


class Agent(nnx.Module):
    def __init__(self, observed, *, rngs):
        self.value = nnx.Linear(observed, 1, rngs=rngs)
        self.updates = Count(jnp.array(0))

    def __call__(self, observations):
        return self.value(observations)[:, 0]


def loss(agent, observations, returns):
    return jnp.mean((agent(observations) - returns) ** 2)


@nnx.jit
def update(agent, optimizer, observations, returns):
    traces.append(observations.shape)
    grads = nnx.grad(loss)(agent, observations, returns)
    optimizer.update(agent, grads)
    agent.updates[...] += 1
