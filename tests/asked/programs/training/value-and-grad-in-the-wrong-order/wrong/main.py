"""Train a two-layer network with optax."""
import jax
import jax.numpy as jnp
import numpy as np
import optax


def init(key):
    k1, k2 = jax.random.split(key)
    return {"w1": 0.5 * jax.random.normal(k1, (2, 16)), "w2": 0.5 * jax.random.normal(k2, (16,))}


def loss_fn(params, x, y):
    return jnp.mean((jnp.tanh(x @ params["w1"]) @ params["w2"] - y) ** 2)


def train(params, x, y, steps=50):
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state):
        grads, loss = jax.value_and_grad(loss_fn)(params, x, y)  # mistake
        updates, opt_state = optimizer.update(grads, opt_state)  # mistake
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(steps):
        params, opt_state, loss = step(params, opt_state)
    return params, loss


def main():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, (60, 2)).astype(np.float32)
    _, loss = train(init(jax.random.key(0)), x, np.sin(2 * x[:, 0]))
    print("finite", bool(jnp.isfinite(loss)))


if __name__ == "__main__":
    main()
