"""A small Haiku network for signals, in training and in evaluation."""
import haiku as hk
import jax
import jax.numpy as jnp


def norm():
    return hk.BatchNorm(create_scale=True, create_offset=True, decay_rate=0.9)


def network(signals, is_training):
    layers = [
        hk.Linear(16),
        norm(),
        jax.nn.relu,
        hk.Linear(16),
        norm(),
        jax.nn.relu,
        hk.Linear(1),
    ]
    return hk.Sequential(layers)(signals)[:, 0]  # mistake


model = hk.without_apply_rng(hk.transform_with_state(network))


def loss_fn(params, state, signals, targets):
    predicted, state = model.apply(params, state, signals, True)
    return jnp.mean((predicted - targets) ** 2), state


@jax.jit
def step(params, state, signals, targets):
    grads, state = jax.grad(loss_fn, has_aux=True)(params, state, signals, targets)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads), state


if __name__ == "__main__":
    signals = jax.random.normal(jax.random.key(0), (16, 6))
    params, state = model.init(jax.random.key(1), signals, True)
    for _ in range(2):
        params, state = step(params, state, signals, signals.sum(axis=1))
    predicted, _ = model.apply(params, state, signals, False)
    print("predicted", predicted.shape)
