import jax
import jax.numpy as jnp
import numpy as np
import optax

from model import TabularNet

model = TabularNet()
tx = optax.adam(3e-3)


@jax.jit
def train_step(params, opt_state, x, y, dropout_key):
    def loss_fn(p):
        pred, state = model.apply(
            {"params": p}, x, train=True,
            rngs={"dropout": dropout_key}, mutable=["intermediates"],
        )
        return jnp.mean((pred - y) ** 2), state["intermediates"]["mask"][0]

    (loss, mask), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss, mask > 0


def housing(rng, n):
    x = rng.normal(size=(n, 8)).astype(np.float32)
    y = x[:, 0] * x[:, 1] + 0.5 * x[:, 2]
    return x, y.astype(np.float32)


@jax.jit
def validation_loss(params, x, y):
    return jnp.mean((model.apply({"params": params}, x) - y) ** 2)


def main():
    rng = np.random.default_rng(0)
    x, y = housing(rng, 512)
    x_val, y_val = housing(rng, 512)
    init_key, key = jax.random.split(jax.random.key(0))
    params = model.init(init_key, x[:1])["params"]
    opt_state = tx.init(params)
    ever_kept = np.zeros((64, model.width), bool)
    for epoch in range(4):
        for start in range(0, len(x), 64):
            xb, yb = x[start:start + 64], y[start:start + 64]
            key, dropout_key = jax.random.split(key)
            params, opt_state, loss, kept = train_step(params, opt_state, xb, yb, dropout_key)
            ever_kept |= np.asarray(kept)
        val = validation_loss(params, x_val, y_val)
        print(f"epoch {epoch} train {loss:.4f} val {val:.4f}")
    print(f"mask entries ever kept {ever_kept.mean():.3f}")


if __name__ == "__main__":
    main()
