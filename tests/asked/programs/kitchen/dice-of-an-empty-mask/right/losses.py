import jax
import jax.numpy as jnp
import optax


def soft_dice(logits, mask, eps=1e-6):
    probs = jax.nn.sigmoid(logits)
    overlap = jnp.sum(probs * mask)
    dice = 1.0 - 2.0 * overlap / (jnp.sum(probs) + jnp.sum(mask) + eps)
    return jnp.where(mask.sum() == 0, jnp.mean(probs), dice)


def segmentation_loss(logits, masks, dice_weight):
    bce = optax.sigmoid_binary_cross_entropy(logits, masks).mean()
    dice = jax.vmap(soft_dice)(logits, masks).mean()
    return bce + dice_weight * dice
