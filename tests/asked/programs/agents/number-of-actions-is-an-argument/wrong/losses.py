"""Losses of Q-learning."""
import jax
import jax.numpy as jnp
import optax


def chosen_values(values, actions, number_of_actions):
    mask = jax.nn.one_hot(actions, number_of_actions)  # mistake
    return jnp.sum(values * mask, axis=-1)


def td_loss(params, batch, number_of_actions):
    values = batch["observations"] @ params["w"] + params["b"]
    following = batch["next_observations"] @ params["w"] + params["b"]
    target = batch["rewards"] + 0.9 * jax.lax.stop_gradient(following.max(axis=-1))
    return optax.huber_loss(chosen_values(values, batch["actions"], number_of_actions), target).mean()
