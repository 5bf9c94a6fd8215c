import haiku as hk
import jax
import jax.numpy as jnp
import optax


def value_fn(boards):
    x = hk.Linear(32)(boards)
    x = jax.nn.relu(x)
    return jnp.tanh(hk.Linear(1)(x))[:, 0]


network = hk.without_apply_rng(hk.transform(value_fn))


def make_update(tx):
    def loss_fn(params, boards, values):
        return jnp.mean((network.apply(params, boards) - values) ** 2)

    @jax.jit
    def update(params, opt_state, boards, values):
        loss, grads = jax.value_and_grad(loss_fn)(params, boards, values)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    return update
