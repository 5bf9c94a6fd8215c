import equinox as eqx
import jax
import numpy as np
import optax

from losses import discriminator_loss, generator_loss
from nets import Discriminator, Generator

LATENT, DIM, BATCH = 4, 3, 64


def sensor_rows(rng, n):
    level = rng.normal(2400.0, 300.0, n)
    noise = rng.normal(0.0, 80.0, (n, DIM))
    return (np.stack([level, 0.5 * level, 3600.0 - level], axis=1) + noise).astype(np.float32)


def make_step(gen_opt, disc_opt):
    @eqx.filter_jit
    def step(gen, disc, gen_state, disc_state, real, key):
        z = jax.random.normal(key, (real.shape[0], gen.latent))
        d_loss, grads = eqx.filter_value_and_grad(discriminator_loss)(disc, gen, real, z)
        updates, disc_state = disc_opt.update(grads, disc_state)
        disc = eqx.apply_updates(disc, updates)
        g_loss, grads = eqx.filter_value_and_grad(generator_loss)(gen, disc, z)
        updates, gen_state = gen_opt.update(grads, gen_state)
        gen = eqx.apply_updates(gen, updates)
        return gen, disc, gen_state, disc_state, d_loss, g_loss

    return step


def main():
    rng = np.random.default_rng(0)
    gen_key, disc_key, run_key = jax.random.split(jax.random.key(5), 3)
    gen, disc = Generator(LATENT, DIM, key=gen_key), Discriminator(DIM, key=disc_key)
    gen_opt, disc_opt = optax.adam(5e-3), optax.adam(1e-3)
    gen_state = gen_opt.init(eqx.filter(gen, eqx.is_inexact_array))
    disc_state = disc_opt.init(eqx.filter(disc, eqx.is_inexact_array))
    step = make_step(gen_opt, disc_opt)
    for i, key in enumerate(jax.random.split(run_key, 201)):
        real = sensor_rows(rng, BATCH)
        gen, disc, gen_state, disc_state, d_loss, g_loss = step(
            gen, disc, gen_state, disc_state, real, key
        )
        if i % 50 == 0:
            print(f"step {i}: disc {d_loss:.3f} gen {g_loss:.3f}")


if __name__ == "__main__":
    main()
