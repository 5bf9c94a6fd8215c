import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from moe import Regressor


def loss_fn(model, x, y):
    return jnp.mean((jax.vmap(model)(x) - y) ** 2)


def make_step(tx):
    @eqx.filter_jit
    def step(model, opt_state, x, y):
        loss, grads = eqx.filter_value_and_grad(loss_fn)(model, x, y)
        updates, opt_state = tx.update(grads, opt_state)
        return eqx.apply_updates(model, updates), opt_state, loss

    return step


def main():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(256, 6)).astype(np.float32)
    y = np.where(x[:, 0] > 0, x[:, 1], -x[:, 2]).astype(np.float32)
    model = Regressor(6, depth=2, n_experts=3, key=jax.random.key(0))
    tx = optax.adam(3e-3)
    opt_state = tx.init(eqx.filter(model, eqx.is_inexact_array))
    step = make_step(tx)
    for i in range(101):
        model, opt_state, loss = step(model, opt_state, x, y)
        if i % 50 == 0:
            print(f"{i} {loss:.4f}")


if __name__ == "__main__":
    main()
