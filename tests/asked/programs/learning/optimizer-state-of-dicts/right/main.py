"""Stop a training run, and go on from the checkpoint."""
import jax
import jax.numpy as jnp
import optax

import storage

optimizer = optax.scale_by_adam()


def loss_fn(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


def train(params, opt_state, x, y, steps):
    for _ in range(steps):
        grads = jax.grad(loss_fn)(params, x, y)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        params = jax.tree.map(lambda p, u: p - 0.05 * u, params, updates)
    return params, opt_state


def main():
    x = jax.random.normal(jax.random.key(0), (20, 3))
    y = x.sum(axis=1)
    params = {"w": jnp.zeros(3), "b": jnp.zeros(())}
    params, opt_state = train(params, optimizer.init(params), x, y, 3)
    data = storage.pack(params, opt_state)
    params, opt_state = storage.unpack(data, params, opt_state)
    params, opt_state = train(params, opt_state, x, y, 3)
    print("steps", int(opt_state.count))


if __name__ == "__main__":
    main()
