import jax
import jax.numpy as jnp


def surrogate(logp, old_logp, advantage, clip):
    ratio = jnp.exp(logp - old_logp)
    return jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - clip, 1 + clip) * advantage)


def ppo_loss(params, apply_fn, batch, clip=0.2, value_coef=0.5, entropy_coef=0.01):
    logits, values = apply_fn({"params": params}, batch["obs"])
    log_probs = jax.nn.log_softmax(logits)
    logp = jnp.take_along_axis(log_probs, batch["action"][:, None], axis=1)[:, 0]
    errors = batch["return"] - values  # mistake
    advantage = jax.lax.stop_gradient(errors)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    policy_loss = -surrogate(logp, batch["logp"], advantage, clip).mean()
    entropy = -jnp.sum(jnp.exp(log_probs) * log_probs, axis=-1).mean()
    return policy_loss + value_coef * jnp.mean(errors**2) - entropy_coef * entropy
