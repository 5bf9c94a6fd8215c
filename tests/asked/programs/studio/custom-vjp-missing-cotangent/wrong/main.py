import jax
import jax.numpy as jnp
import numpy as np
import optax

from ops import rnn_cell

HIDDEN = 24
tx = optax.rmsprop(2e-3)


def init(key, n_in):
    hh_key, xh_key, out_key = jax.random.split(key, 3)
    return {
        "hh": jax.random.normal(hh_key, (HIDDEN, HIDDEN)) * 1.2 / jnp.sqrt(HIDDEN),
        "xh": jax.random.normal(xh_key, (n_in, HIDDEN)) / jnp.sqrt(n_in),
        "b": jnp.zeros(HIDDEN),
        "out": jax.random.normal(out_key, (HIDDEN, 1)) / jnp.sqrt(HIDDEN),
    }


def predict(params, xs):
    def step(h, x):
        return rnn_cell(params, h, x), None

    h, _ = jax.lax.scan(step, jnp.zeros(HIDDEN), xs)
    return (h @ params["out"])[0]


def loss_fn(params, xs, ys):
    pred = jax.vmap(predict, in_axes=(None, 0))(params, xs)
    return jnp.mean((pred - ys) ** 2)


@jax.jit
def update(params, opt_state, xs, ys):
    loss, grads = jax.value_and_grad(loss_fn)(params, xs, ys)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def adding_problem(rng, n, length):
    values = rng.random((n, length))
    marks = np.zeros((n, length))
    for row in marks:
        row[rng.choice(length, 2, replace=False)] = 1.0
    xs = np.stack([values, marks], axis=-1).astype(np.float32)
    return xs, (values * marks).sum(1).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    params = init(jax.random.key(0), 2)
    opt_state = tx.init(params)
    for i in range(101):
        xs, ys = adding_problem(rng, 32, 20)
        params, opt_state, loss = update(params, opt_state, xs, ys)
        if i % 50 == 0:
            print(f"{i} mse {loss:.4f}")


if __name__ == "__main__":
    main()
