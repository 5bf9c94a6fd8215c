import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn

from checkpointing import remove_run, restore_params, save_params
from settings import Settings


class SoilNet(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        x = nn.tanh(nn.Dense(self.width)(x))
        return nn.Dense(1)(x)[..., 0]


def fit(model, params, x, y, settings):
    tx = optax.adam(settings.learning_rate)
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state):
        def loss_fn(p):
            return jnp.mean((model.apply({"params": p}, x) - y) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(settings.steps):
        params, opt_state, loss = step(params, opt_state)
    return params, float(loss)


def main():
    settings = Settings()
    rng = np.random.default_rng(settings.seed)
    x = rng.uniform(0, 1, (200, 4)).astype(np.float32)
    y = x[:, 0] * 2 - x[:, 1] ** 2
    model = SoilNet(settings.width)
    params = model.init(jax.random.key(settings.seed), x[:1])["params"]
    params, loss = fit(model, params, x, y, settings)
    print(f"fit {loss:.5f}")
    try:
        save_params(settings.run_dir, "final", params)
        restored = restore_params(settings.run_dir, "final", params)
    finally:
        remove_run(settings.run_dir)
    pred = model.apply({"params": restored}, x)
    print(f"restored {float(jnp.mean((pred - y) ** 2)):.5f}")


if __name__ == "__main__":
    main()
