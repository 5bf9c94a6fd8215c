import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from unet import Denoiser


def q_sample(x0, t, noise):
    alpha = jnp.cos(0.5 * jnp.pi * t)[:, None]
    sigma = jnp.sin(0.5 * jnp.pi * t)[:, None]
    return alpha * x0 + sigma * noise


def diffusion_loss(model, x0, key):
    t_key, noise_key = jax.random.split(key)
    t = jax.random.uniform(t_key, (x0.shape[0],))
    noise = jax.random.normal(noise_key, x0.shape)
    pred = model(q_sample(x0, t, noise), t)
    return jnp.mean((pred - noise) ** 2)


@nnx.jit
def train_step(model, optimizer, x0, key):
    loss, grads = nnx.value_and_grad(diffusion_loss)(model, x0, key)
    optimizer.update(grads)  # mistake
    return loss


def swiss_roll(rng, n):
    t = 1.5 * np.pi * (1 + 2 * rng.random(n))
    pts = np.stack([t * np.cos(t), t * np.sin(t)], axis=1) / 10.0
    return (pts + 0.02 * rng.normal(size=pts.shape)).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    model = Denoiser(2, 48, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(2e-3), wrt=nnx.Param)
    key = jax.random.key(1)
    losses = []
    for step in range(200):
        key, sub = jax.random.split(key)
        losses.append(train_step(model, optimizer, swiss_roll(rng, 128), sub))
        if step % 100 == 99:
            print(f"step {step + 1} loss {np.mean(losses[-50:]):.4f}")


if __name__ == "__main__":
    main()
