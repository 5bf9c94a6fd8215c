"""Learn the value of the states of a random walk towards a goal."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx
from networks import Critic
from returns import discounted


def walk(key, steps=64):
    moves = jax.random.normal(key, (steps, 2)) * 0.3 + 0.05
    states = jnp.cumsum(moves, axis=0)
    rewards = -jnp.linalg.norm(states - 1.5, axis=1)
    return states, discounted(rewards)


def loss_fn(critic, states, returns):
    values = critic(states)
    return jnp.mean((values - returns) ** 2)  # mistake


@nnx.jit
def train_step(critic, optimizer, states, returns):
    loss, grads = nnx.value_and_grad(loss_fn)(critic, states, returns)
    optimizer.update(critic, grads)
    return loss


def main():
    states, returns = walk(jax.random.key(6))
    returns = (returns - returns.mean()) / returns.std()
    critic = Critic(2, 32, nnx.Rngs(0))
    optimizer = nnx.Optimizer(critic, optax.adam(1e-2), wrt=nnx.Param)
    for _ in range(120):
        loss = train_step(critic, optimizer, states, returns)
    print("states", states.shape)
    print("values explain the returns:", bool(loss < 0.3))


if __name__ == "__main__":
    main()
