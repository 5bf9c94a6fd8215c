import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from losses import vqvae_loss
from vqvae import VQVAE


def texture_patches(n, seed=0):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 6, n)
    basis = np.random.default_rng(123).normal(size=(6, 25))
    return (basis[kinds] + 0.1 * rng.normal(size=(n, 25))).astype(np.float32)


@eqx.filter_jit
def train_step(model, opt_state, tx, patches):
    (_, parts), grads = eqx.filter_value_and_grad(vqvae_loss, has_aux=True)(model, patches)
    updates, opt_state = tx.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, parts


def main():
    model = VQVAE(n_pixels=25, width=32, n_latent=4, n_codes=12, key=jax.random.key(4))
    first_codes = model.codebook
    tx = optax.adam(3e-3)
    opt_state = tx.init(eqx.filter(model, eqx.is_inexact_array))
    for step in range(300):
        model, opt_state, parts = train_step(model, opt_state, tx, texture_patches(64, step))
        if step % 100 == 0:
            print(step, {name: round(float(value), 3) for name, value in parts.items()})
    moved = jnp.linalg.norm(model.codebook - first_codes)
    print(f"reconstruction {float(parts['reconstruction']):.3f}")
    print(f"codebook moved by {float(moved):.3f}")


if __name__ == "__main__":
    main()
