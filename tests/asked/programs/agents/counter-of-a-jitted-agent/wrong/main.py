"""Fit the value function and count how often its update is compiled."""
import jax
import optax
from flax import nnx

import agent as agents


def main():
    agent = agents.Agent(4, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(agent, optax.sgd(0.05), wrt=nnx.Param)
    observations = jax.random.normal(jax.random.key(1), (16, 4))
    returns = observations.sum(axis=1)
    for _ in range(5):
        agents.update(agent, optimizer, observations, returns)
    print("updates", agent.updates)
    print("compiled", len(agents.traces))


if __name__ == "__main__":
    main()
