"""Fit a small network with gradients of two half batches."""
import equinox as eqx
import jax
import jax.numpy as jnp
import optax

KEY = jax.random.PRNGKey(3)
optim = optax.MultiSteps(optax.adamw(1e-2), every_k_schedule=2)


def loss_fn(model, x, y):
    predicted = jax.vmap(model)(x)
    return jnp.mean((predicted[:, 0] - y) ** 2)


@eqx.filter_jit
def make_step(model, opt_state, x, y):
    loss, grads = eqx.filter_value_and_grad(loss_fn)(model, x, y)
    updates, opt_state = optim.update(grads, opt_state, model)  # mistake
    return eqx.apply_updates(model, updates), opt_state, loss


def main():
    model_key, data_key = jax.random.split(KEY)
    model = eqx.nn.MLP(in_size=3, out_size=1, width_size=16, depth=2, key=model_key)
    opt_state = optim.init(eqx.filter(model, eqx.is_array))
    x = jax.random.normal(data_key, (64, 3))
    y = jnp.sin(x).sum(axis=1)
    for half in range(20):
        rows = slice(0, 32) if half % 2 == 0 else slice(32, 64)
        model, opt_state, loss = make_step(model, opt_state, x[rows], y[rows])
    print(bool(loss < 5.0))


if __name__ == "__main__":
    main()
