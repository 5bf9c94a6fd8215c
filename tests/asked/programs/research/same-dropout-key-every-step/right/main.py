import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from model import DropoutMLP

BATCH = 32


def loss_fn(model, x, y, key):
    keys = jax.random.split(key, x.shape[0])
    pred, sparsity, hidden = jax.vmap(model)(x, keys)
    active = jnp.any(hidden != 0.0, axis=0)
    return jnp.mean((pred - y) ** 2), (sparsity.mean(), active, hidden[0] != 0.0)


tx = optax.adam(3e-3)


@eqx.filter_jit
def train_step(model, opt_state, x, y, key):
    (loss, aux), grads = eqx.filter_value_and_grad(loss_fn, has_aux=True)(model, x, y, key)
    updates, opt_state = tx.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss, aux


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(BATCH, 5)).astype(np.float32)
    y = np.tanh(x[:, 0] - x[:, 1]).astype(np.float32)
    model_key, key = jax.random.split(jax.random.key(0))
    model = DropoutMLP([5, 32, 32, 1], 0.5, key=model_key)
    opt_state = tx.init(eqx.filter(model, eqx.is_inexact_array))
    patterns = set()
    for step in range(20):
        key, dropout_key = jax.random.split(key)
        model, opt_state, loss, (sparsity, active, first) = train_step(model, opt_state, x, y, dropout_key)
        patterns.add(np.asarray(first).tobytes())
        if step % 5 == 4:
            print(f"step {step + 1} loss {loss:.4f} zeros {sparsity:.2f} active units {int(active.sum())}")
    print("distinct activation patterns of the first example:", len(patterns))
    pred, _, _ = jax.vmap(eqx.nn.inference_mode(model))(x)
    print("train mse without dropout", jnp.mean((pred - y) ** 2))


if __name__ == "__main__":
    main()
