import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

from ema import EmaParams


class ScoreNet(nn.Module):
    width: int = 48

    @nn.compact
    def __call__(self, x, log_sigma):
        h = jnp.concatenate([x, log_sigma], axis=-1)
        h = nn.swish(nn.Dense(self.width)(h))
        h = nn.swish(nn.Dense(self.width)(h))
        return nn.Dense(x.shape[-1])(h) / jnp.exp(log_sigma)


model = ScoreNet()
tx = optax.adam(2e-3)


def dsm_loss(params, x, key):
    sigma_key, noise_key = jax.random.split(key)
    log_sigma = jax.random.uniform(sigma_key, (x.shape[0], 1), minval=-3.0, maxval=0.5)
    sigma = jnp.exp(log_sigma)
    eps = jax.random.normal(noise_key, x.shape)
    score = model.apply({"params": params}, x + sigma * eps, log_sigma)
    return jnp.mean((sigma * score + eps) ** 2)


@jax.jit
def train_step(params, ema, opt_state, x, key):
    loss, grads = jax.value_and_grad(dsm_loss)(params, x, key)
    updates, opt_state = tx.update(grads, opt_state)
    params = optax.apply_updates(params, updates)
    return params, ema.update(params), opt_state, loss


def main():
    rng = np.random.default_rng(0)
    init_key, key, eval_key = jax.random.split(jax.random.key(0), 3)
    params = model.init(init_key, jnp.zeros((1, 2)), jnp.zeros((1, 1)))["params"]
    ema = EmaParams.create(params, decay=0.99)
    opt_state = tx.init(params)
    for step in range(151):
        key, sub = jax.random.split(key)
        x = rng.choice([-1.0, 1.0], size=(128, 2)) + 0.1 * rng.normal(size=(128, 2))
        params, ema, opt_state, loss = train_step(
            params, ema, opt_state, x.astype(np.float32), sub
        )
        if step % 50 == 0:
            print(f"step {step} loss {loss:.4f}")
    held_out = rng.choice([-1.0, 1.0], size=(512, 2)).astype(np.float32)
    print("ema loss", round(float(dsm_loss(ema.shadow, held_out, eval_key)), 4))


if __name__ == "__main__":
    main()
