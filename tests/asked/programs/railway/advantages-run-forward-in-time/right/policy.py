import jax
import jax.numpy as jnp


def init_policy(key, n_states):
    return {"logits": 0.01 * jax.random.normal(key, (n_states, 2)), "values": jnp.zeros(n_states)}


def action_logits(params, obs):
    return params["logits"][obs]


def state_value(params, obs):
    return params["values"][obs]


def surrogate(params, batch, advantages):
    log_probs = jax.nn.log_softmax(action_logits(params, batch["obs"]))
    chosen = jnp.take_along_axis(log_probs, batch["action"][..., None], axis=-1)[..., 0]
    normed = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    targets = advantages + batch["value"]
    value_loss = jnp.mean((state_value(params, batch["obs"]) - targets) ** 2)
    return value_loss - jnp.mean(chosen * normed)


@jax.jit
def policy_gradient_step(params, batch, advantages, learning_rate):
    grads = jax.grad(surrogate)(params, batch, advantages)
    return jax.tree.map(lambda p, g: p - learning_rate * g, params, grads)
