import jax
import jax.numpy as jnp
import numpy as np
import optax

from denoiser import PointDenoiser, noise_loss
from sampler import draw

STEPS = 300


def ring(count):
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, size=count)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1).astype(np.float32)


def main():
    points = ring(512)
    model = PointDenoiser()
    init_key, loop_key, sample_key = jax.random.split(jax.random.key(0), 3)
    params = jax.jit(model.init)(init_key, points[:1], jnp.zeros((1,), jnp.int32))
    optimizer = optax.adam(3e-3)
    opt_state = optimizer.init(params)
    averaged = params

    @jax.jit
    def train_step(params, averaged, opt_state, key):
        loss, grads = jax.value_and_grad(lambda p: noise_loss(model.apply, p, points, key))(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        params = optax.apply_updates(params, updates)
        optax.incremental_update(params, averaged, step_size=0.02)  # mistake
        return params, averaged, opt_state, loss

    for step, key in enumerate(jax.random.split(loop_key, STEPS)):
        params, averaged, opt_state, loss = train_step(params, averaged, opt_state, key)
        if step % 100 == 0:
            print(step, loss)

    radius = jnp.linalg.norm(draw(model.apply, averaged, sample_key, 500), axis=-1)
    print("radius of the samples: mean", jnp.mean(radius), "spread", jnp.std(radius))


if __name__ == "__main__":
    main()
