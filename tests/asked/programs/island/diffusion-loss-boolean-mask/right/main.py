import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

from denoiser import Denoiser
from schedule import alphas_cumprod, q_sample


def toy_patches(n, rng):
    xs = np.linspace(-1, 1, 8)
    phase = rng.uniform(0, 6, size=(n, 1, 1))
    images = np.sin(3 * xs[None, :, None] + 2 * xs[None, None, :] + phase)
    valid = rng.uniform(size=(n, 8, 8)) > 0.2
    return images.astype(np.float32), valid


def make_train_step(num_timesteps: int):
    abar = alphas_cumprod(num_timesteps)

    def diffusion_loss(params, apply_fn, images, valid, key):
        t_key, eps_key = jax.random.split(key)
        t = jax.random.randint(t_key, (images.shape[0],), 0, num_timesteps)
        eps = jax.random.normal(eps_key, images.shape)
        noisy = q_sample(images, eps, abar[t])
        pred = apply_fn({"params": params}, noisy, t / num_timesteps)
        err = (pred - eps) ** 2
        return jnp.sum(err * valid) / jnp.sum(valid)

    @jax.jit
    def train_step(state, images, valid, key):
        loss, grads = jax.value_and_grad(diffusion_loss)(state.params, state.apply_fn, images, valid, key)
        return state.apply_gradients(grads=grads), loss

    return train_step


def main():
    rng = np.random.default_rng(0)
    key, init_key = jax.random.split(jax.random.key(0))
    model = Denoiser(width=64)
    params = model.init(init_key, jnp.zeros((1, 8, 8)), jnp.zeros((1,)))["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(2e-3))
    train_step = make_train_step(num_timesteps=50)
    for step in range(60):
        key, step_key = jax.random.split(key)
        images, valid = toy_patches(32, rng)
        state, loss = train_step(state, images, valid, step_key)
        if step % 20 == 0:
            print(step, round(float(loss), 3))


if __name__ == "__main__":
    main()
