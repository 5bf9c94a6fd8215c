import jax
import jax.numpy as jnp
import numpy as np
import optax

import siren

CONFIG = {"layers": (2, 64, 64, 1), "w0": 20.0, "lr": 1e-3, "steps": 200}


def target_image(n: int = 32):
    axis = np.linspace(-1, 1, n, dtype=np.float32)
    xx, yy = np.meshgrid(axis, axis)
    coords = np.stack([xx.ravel(), yy.ravel()], axis=-1)
    values = np.sin(6 * xx) * np.cos(4 * yy)
    return coords, values.ravel()


def main(cfg):
    coords, values = target_image()
    params = siren.init(jax.random.key(3), cfg["layers"], cfg["w0"])
    tx = optax.adam(cfg["lr"])
    opt_state = tx.init(params)

    def loss_fn(params):
        pred = siren.apply(params, coords, cfg["w0"])
        return jnp.mean((pred - values) ** 2)

    @jax.jit
    def step(params, opt_state):
        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for i in range(cfg["steps"]):
        params, opt_state, loss = step(params, opt_state)
        if i % 50 == 0:
            print(f"step {i:4d}  mse {float(loss):.5f}")
    print(f"psnr {-10 * float(jnp.log10(loss)):.2f} dB")


if __name__ == "__main__":
    main(CONFIG)
