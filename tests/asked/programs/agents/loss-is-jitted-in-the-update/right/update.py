"""One update of the policy by the gradient of its return."""

import equinox as eqx
import jax
import jax.numpy as jnp
from policy import rewards_to_go


@eqx.filter_jit
@eqx.filter_value_and_grad
def loss_fn(policy, states, actions, rewards):
    chosen = jnp.take_along_axis(jax.vmap(policy)(states), actions[:, None], axis=1)[:, 0]
    return -jnp.mean(chosen * rewards_to_go(rewards))


def update(policy, opt_state, optimizer, states, actions, rewards):
    loss, grads = loss_fn(policy, states, actions, rewards)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(policy, updates), opt_state, loss
