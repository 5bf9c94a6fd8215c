import jax
import jax.numpy as jnp
import numpy as np
import optax

from augment import corrupt
from net import DenoisingCNN
from phantoms import disk_images


def psnr(a, b):
    return -10.0 * jnp.log10(jnp.mean((a - b) ** 2))


def main():
    model = DenoisingCNN(features=12)
    key = jax.random.key(0)
    init_key, eval_key = jax.random.split(key)
    images = disk_images(32, size=24, seed=0)
    test_images = disk_images(16, size=24, seed=1)
    params = model.init(init_key, images[:1])
    tx = optax.adam(3e-3)
    opt_state = tx.init(params)

    @jax.jit
    def train_step(params, opt_state, clean):
        noisy = corrupt(clean, sigma=0.3)

        def loss_fn(p):
            return jnp.mean((model.apply(p, noisy) - clean) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss, noisy[0, 0, 0, 0]

    losses, first_pixels = [], []
    for _ in range(80):
        params, opt_state, loss, pixel = train_step(params, opt_state, images)
        losses.append(float(loss))
        first_pixels.append(float(pixel))

    noisy_test = test_images + 0.3 * jax.random.normal(eval_key, test_images.shape)
    restored = jax.jit(model.apply)(params, noisy_test)
    print("train loss", round(np.mean(losses[-10:]), 4))
    print("test psnr", round(float(psnr(restored, test_images)), 2))
    print("spread of corrupted pixel over steps", round(float(np.std(first_pixels)), 3))


if __name__ == "__main__":
    main()
