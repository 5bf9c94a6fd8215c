import jax
import jax.numpy as jnp
import numpy as np
import optax

from denoiser import Denoiser
from diffusion import cosine_alpha_bar, make_train_step


def ring(rng, n):
    angle = rng.uniform(0, 2 * np.pi, size=n)
    pts = np.stack([np.cos(angle), np.sin(angle)], -1)
    return (pts + 0.03 * rng.normal(size=pts.shape)).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    init_key, key = jax.random.split(jax.random.PRNGKey(0))
    model = Denoiser(width=48)
    params = model.init(init_key, jnp.zeros((1, 2)), jnp.zeros((1,)))
    tx = optax.adam(2e-3)
    opt_state = tx.init(params)
    step_fn = make_train_step(model, tx, cosine_alpha_bar)

    first_times = []
    for step in range(200):
        batch = ring(rng, 64)
        params, opt_state, loss, t = step_fn(params, opt_state, batch, key)  # mistake
        first_times.append(t[0])
        if step % 50 == 0:
            print(step, f"{loss:.4f}")
    print("different times drawn", len(np.unique(jnp.stack(first_times))))


if __name__ == "__main__":
    main()
