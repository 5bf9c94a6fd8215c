"""One update of the policy by the gradient of its return."""

import equinox as eqx
import jax
import jax.numpy as jnp
from policy import rewards_to_go


def update(policy, opt_state, optimizer, states, actions, rewards):
    @eqx.filter_jit  # mistake
    @eqx.filter_value_and_grad
    def loss_fn(policy):
        chosen = jnp.take_along_axis(jax.vmap(policy)(states), actions[:, None], axis=1)[:, 0]
        return -jnp.mean(chosen * rewards_to_go(rewards))

    loss, grads = loss_fn(policy)  # mistake
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(policy, updates), opt_state, loss
