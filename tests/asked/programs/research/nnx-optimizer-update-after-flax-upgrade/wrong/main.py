import jax
import numpy as np
import optax
from flax import nnx

from vae import VAE, negative_elbo


def make_optimizer(model, learning_rate):
    tx = optax.chain(optax.clip_by_global_norm(10.0), optax.adamw(learning_rate, weight_decay=1e-4))
    return nnx.Optimizer(model, tx, wrt=nnx.Param)


@nnx.jit
def train_step(model: VAE, optimizer: nnx.Optimizer, x, key):
    (loss, aux), grads = nnx.value_and_grad(negative_elbo, has_aux=True)(model, x, key)
    optimizer.update(grads)  # mistake
    return loss, aux


def ring_data(rng, n):
    theta = rng.uniform(0, 2 * np.pi, n)
    basis = np.linspace(-1, 1, 10)
    return (np.cos(theta)[:, None] * basis + np.sin(theta)[:, None] * basis[::-1] ** 2).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    model = VAE(data_dim=10, latent_dim=2, hidden=32, rngs=nnx.Rngs(params=0))
    optimizer = make_optimizer(model, 3e-3)
    noise_key = jax.random.key(42)
    for step in range(60):
        loss, aux = train_step(model, optimizer, ring_data(rng, 64), jax.random.fold_in(noise_key, step))
        if step % 20 == 19:
            parts = {name: round(float(value), 4) for name, value in aux.items()}
            print(f"step {step + 1} loss {loss:.4f} {parts}")


if __name__ == "__main__":
    main()
