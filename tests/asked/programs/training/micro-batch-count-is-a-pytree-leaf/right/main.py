"""Gradient accumulation over micro-batches with Flax Linen."""
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from flax.training.train_state import TrainState

from settings import Settings


class Policy(nn.Module):
    actions: int

    @nn.compact
    def __call__(self, obs):
        return nn.Dense(self.actions)(nn.tanh(nn.Dense(16)(obs)))


def loss_fn(params, apply_fn, batch, settings):
    logits = apply_fn({"params": params}, batch["obs"])
    log_probs = jax.nn.log_softmax(logits)
    if settings.loss_name == "xent":
        loss = -jnp.take_along_axis(log_probs, batch["action"][:, None], axis=1).mean()
    else:
        loss = jnp.mean((jnp.exp(log_probs).max(-1) - 1.0) ** 2)
    entropy = -(jnp.exp(log_probs) * log_probs).sum(-1).mean()
    return loss - settings.entropy_bonus * entropy


def accumulate(state, batch, settings):
    total_loss = 0.0
    total = jax.tree.map(jnp.zeros_like, state.params)
    micro = jax.tree.map(lambda a: a.reshape((-1, 16) + a.shape[1:]), batch)
    for i in range(settings.accum_steps):
        part = jax.tree.map(lambda a: a[i], micro)
        loss, grads = jax.value_and_grad(loss_fn)(state.params, state.apply_fn, part, settings)
        total = jax.tree.map(jnp.add, total, grads)
        total_loss = total_loss + loss
    scale = 1.0 / settings.accum_steps
    return total_loss * scale, jax.tree.map(lambda g: g * scale, total)


@jax.jit
def train_step(state, batch, settings):
    loss, grads = accumulate(state, batch, settings)
    norm = optax.global_norm(grads)
    factor = jnp.minimum(1.0, settings.clip_norm / (norm + 1e-6))
    return state.apply_gradients(grads=jax.tree.map(lambda g: g * factor, grads)), loss


def main():
    settings = Settings(accum_steps=3)
    model = Policy(actions=3)
    params = jax.jit(model.init)(jax.random.PRNGKey(0), jnp.zeros((1, 5)))["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(2e-2))
    rng = np.random.default_rng(0)
    for step in range(30):
        obs = rng.normal(size=(16 * settings.accum_steps, 5)).astype(np.float32)
        batch = {"obs": obs, "action": obs[:, :3].argmax(-1)}
        state, loss = train_step(state, batch, settings)
    print(f"behaviour cloning loss {loss:.3f} after {int(state.step)} updates")


if __name__ == "__main__":
    main()
