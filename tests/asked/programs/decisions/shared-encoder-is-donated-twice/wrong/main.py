"""Update both networks in one step."""
from functools import partial

import jax
import jax.numpy as jnp

import agents


def value(critic, observation):
    return jnp.tanh(observation @ critic["encoder"]) @ critic["head"]


def log_probs(actor, observation):
    return jax.nn.log_softmax(jnp.tanh(observation @ actor["encoder"]) @ actor["head"])


@partial(jax.jit, donate_argnames=("actor", "critic"))
def update(actor, critic, observation, action, returns):
    def critic_loss(critic):
        return jnp.mean((value(critic, observation) - returns) ** 2)

    def actor_loss(actor):
        advantage = returns - value(critic, observation)
        chosen = jnp.take_along_axis(log_probs(actor, observation), action[:, None], axis=1)[:, 0]
        return -jnp.mean(chosen * advantage)

    descend = partial(jax.tree.map, lambda p, g: p - 0.05 * g)
    return descend(actor, jax.grad(actor_loss)(actor)), descend(critic, jax.grad(critic_loss)(critic))


def main():
    actor, critic = agents.init(jax.random.key(0))
    observation = jax.random.normal(jax.random.key(1), (10, 6))
    action = jnp.arange(10) % 2
    for _ in range(5):
        actor, critic = update(actor, critic, observation, action, observation[:, 0])  # mistake
    print(log_probs(actor, observation).shape, bool(jnp.all(jnp.isfinite(value(critic, observation)))))


if __name__ == "__main__":
    main()
