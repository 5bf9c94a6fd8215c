"""Train with batch norm in Haiku."""
import haiku as hk
import jax
import jax.numpy as jnp
import optax


def network(x, is_training):
    x = hk.Linear(16)(x)
    x = hk.BatchNorm(create_scale=True, create_offset=True, decay_rate=0.9)(x, is_training)
    return hk.Linear(1)(jax.nn.relu(x))[:, 0]


model = hk.without_apply_rng(hk.transform_with_state(network))
tx = optax.adam(1e-2)


def loss_fn(params, state, x, y):
    predicted, state = model.apply(params, state, x, is_training=True)
    return jnp.mean((predicted - y) ** 2), state


@jax.jit
def train_step(params, state, opt_state, x, y):
    (loss, state), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, state, x, y)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), state, opt_state, loss


def main():
    x = 5.0 + jax.random.normal(jax.random.key(0), (128, 3))
    y = x.sum(axis=1)
    params, state = model.init(jax.random.key(1), x, is_training=True)
    opt_state = tx.init(params)
    before = state["batch_norm/~/mean_ema"]["average"]
    for _ in range(50):
        params, _, opt_state, loss = train_step(params, state, opt_state, x, y)  # mistake
    after = state["batch_norm/~/mean_ema"]["average"]
    print("averages moved", bool(jnp.any(before != after)))


if __name__ == "__main__":
    main()
