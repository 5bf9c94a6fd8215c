import jax
import jax.numpy as jnp
import numpy as np
import optax

from states import create_states

CONFIG = {"data_dim": 2, "latent_dim": 4, "batch": 64, "lr": 2e-3, "steps": 200}


def ring(rng, n):
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    return np.stack([0.7 * np.cos(angle), 0.7 * np.sin(angle)], axis=1).astype(np.float32)


@jax.jit
def train_step(gen_state, disc_state, real, z):
    def disc_loss(params):
        fake = gen_state.apply_fn({"params": gen_state.params}, z)
        on_real = disc_state.apply_fn({"params": params}, real)
        on_fake = disc_state.apply_fn({"params": params}, fake)
        return jnp.mean(
            optax.sigmoid_binary_cross_entropy(on_real, jnp.ones_like(on_real))
            + optax.sigmoid_binary_cross_entropy(on_fake, jnp.zeros_like(on_fake))
        )

    def gen_loss(params, disc_params):
        fake = gen_state.apply_fn({"params": params}, z)
        logits = disc_state.apply_fn({"params": disc_params}, fake)
        return jnp.mean(optax.sigmoid_binary_cross_entropy(logits, jnp.ones_like(logits)))

    d_loss, d_grads = jax.value_and_grad(disc_loss)(disc_state.params)
    disc_state = disc_state.apply_gradients(grads=d_grads)
    g_loss, g_grads = jax.value_and_grad(gen_loss)(gen_state.params, disc_state.params)
    gen_state = gen_state.apply_gradients(grads=g_grads)
    return gen_state, disc_state, {"disc": d_loss, "gen": g_loss}


def main():
    rng = np.random.default_rng(0)
    init_key, noise_key = jax.random.split(jax.random.key(3))
    gen_state, disc_state, fixed_latent = create_states(init_key, CONFIG)
    for step in range(CONFIG["steps"]):
        z = jax.random.normal(
            jax.random.fold_in(noise_key, step), (CONFIG["batch"], CONFIG["latent_dim"])
        )
        real = ring(rng, CONFIG["batch"])
        gen_state, disc_state, metrics = train_step(gen_state, disc_state, real, z)
    samples = gen_state.apply_fn({"params": gen_state.params}, fixed_latent)
    radius = jnp.linalg.norm(samples, axis=1)
    print(f"disc {metrics['disc']:.3f} gen {metrics['gen']:.3f} radius {radius.mean():.3f}")


if __name__ == "__main__":
    main()
