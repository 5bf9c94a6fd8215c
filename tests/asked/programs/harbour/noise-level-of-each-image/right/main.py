import jax
import jax.numpy as jnp
import numpy as np
import optax

from network import SmallNoiseNet
from schedule import cosine_schedule, diffuse

BATCH = 12
STEPS = 30


def checker_images(count: int):
    rng = np.random.default_rng(0)
    grid = np.indices((8, 8)).sum(axis=0) % 2
    colour = rng.uniform(-1.0, 1.0, size=(count, 1, 1, 3))
    return (colour * (2 * grid - 1)[None, :, :, None]).astype(np.float32)


def main():
    schedule = cosine_schedule(50)
    model = SmallNoiseNet(width=6, num_steps=schedule.num_steps)
    images = checker_images(128)
    init_key, loop_key = jax.random.split(jax.random.key(0))
    params = jax.jit(model.init)(init_key, images[:1], jnp.zeros((1,), jnp.int32))
    optimizer = optax.adam(2e-3)
    opt_state = optimizer.init(params)

    @jax.jit
    def train_step(params, opt_state, batch, key):
        t_key, noise_key = jax.random.split(key)
        t = jax.random.randint(t_key, (batch.shape[0],), 0, schedule.num_steps)
        noise = jax.random.normal(noise_key, batch.shape)

        def loss_fn(params):
            noisy = diffuse(schedule, batch, noise, t)
            return jnp.mean((model.apply(params, noisy, t) - noise) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    rng = np.random.default_rng(1)
    for step, key in enumerate(jax.random.split(loop_key, STEPS)):
        batch = images[rng.choice(len(images), BATCH, replace=False)]
        params, opt_state, loss = train_step(params, opt_state, batch, key)
        if step % 20 == 0:
            print(step, loss)
    print("last loss", loss)


if __name__ == "__main__":
    main()
