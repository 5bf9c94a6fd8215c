"""Policy gradient for a card game in which not every card may be played."""
from functools import partial

import jax
import jax.numpy as jnp
import optax

from losses import entropy, masked_policy, policy_loss

NUM_CARDS = 5


@partial(jax.jit, static_argnums=1)
def deal(key, batch):
    k_obs, k_legal, k_act = jax.random.split(key, 3)
    obs = jax.random.normal(k_obs, (batch, 4))
    legal = jax.random.bernoulli(k_legal, 0.6, (batch, NUM_CARDS)).at[:, 0].set(True)
    scores = jnp.where(legal, jax.random.uniform(k_act, legal.shape), -1.0)
    actions = jnp.argmax(scores, axis=1)
    advantages = jnp.where(actions == 2, 1.0, -0.2)
    return obs, legal, actions, advantages


@partial(jax.jit, static_argnames="entropy_weight")
def update(params, batch, entropy_weight):
    obs, legal, actions, advantages = batch

    def loss_fn(p):
        return policy_loss(obs @ p["w"] + p["b"], legal, actions, advantages, entropy_weight)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return params, loss, optax.global_norm(grads)


def main():
    params = {"w": jnp.zeros((4, NUM_CARDS)), "b": jnp.zeros(NUM_CARDS)}
    for step in range(4):
        batch = deal(jax.random.key(step), 16)
        params, loss, norm = update(params, batch, entropy_weight=0.01)
        print(f"step {step} loss {loss:.4f} grad norm {norm:.4f}")
    obs, legal, *_ = deal(jax.random.key(99), 16)
    probs = masked_policy(obs @ params["w"] + params["b"], legal)
    print(f"mean entropy {entropy(probs, legal).mean():.3f}")


if __name__ == "__main__":
    main()
