import jax
import jax.numpy as jnp
import optax

from networks import dense_apply, dense_init, polyak

OBS, ACTIONS = 4, 3
tx = optax.adam(3e-3)


def init(key):
    online = {"critic": dense_init(key, (OBS, 32, ACTIONS))}
    target = dict(online)
    online["log_alpha"] = jnp.zeros(())
    return online, target, tx.init(online)


def soft_value(q, log_alpha):
    alpha = jnp.exp(log_alpha)
    return alpha * jax.nn.logsumexp(q / alpha, axis=-1)


def loss_fn(online, target, batch, gamma=0.97, target_entropy=0.8):
    q = dense_apply(online["critic"], batch["obs"])
    log_pi = jax.lax.stop_gradient(jax.nn.log_softmax(q / jnp.exp(online["log_alpha"])))
    entropy = -jnp.sum(jnp.exp(log_pi) * log_pi, axis=-1)
    q_taken = jnp.take_along_axis(q, batch["action"][:, None], axis=1)[:, 0]
    next_q = dense_apply(target["critic"], batch["next_obs"])
    backup = batch["reward"] + gamma * soft_value(next_q, online["log_alpha"])
    critic_loss = jnp.mean((q_taken - jax.lax.stop_gradient(backup)) ** 2)
    return critic_loss + jnp.exp(online["log_alpha"]) * jnp.mean(entropy - target_entropy)


@jax.jit
def update(online, target, opt_state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(online, target, batch)
    updates, opt_state = tx.update(grads, opt_state)
    online = optax.apply_updates(online, updates)
    target = {"critic": polyak(target["critic"], online["critic"], tau=0.02)}
    return online, target, opt_state, loss
