import jax
import jax.numpy as jnp
import numpy as np
import optax

from pinn import burgers_residual, init_net, u

residuals = jax.vmap(burgers_residual, in_axes=(None, 0, 0))
values = jax.vmap(u, in_axes=(None, 0, 0))


def loss_fn(params, points, initial):
    t, x = points
    pde = residuals(params, t, x) ** 2
    t0, x0 = initial
    ic = (values(params, t0, x0) + jnp.sin(jnp.pi * x0)) ** 2
    return pde + 10.0 * ic


tx = optax.adam(optax.exponential_decay(2e-3, 100, 0.9))


@jax.jit
def step(params, opt_state, points, initial):
    loss, grads = jax.value_and_grad(loss_fn)(params, points, initial)  # mistake
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def sample(rng, n):
    t = rng.uniform(0, 1, n).astype(np.float32)
    x = rng.uniform(-1, 1, n).astype(np.float32)
    x0 = rng.uniform(-1, 1, n).astype(np.float32)
    return (t, x), (np.zeros(n, np.float32), x0)


def main():
    rng = np.random.default_rng(0)
    params = init_net(jax.random.key(0), [2, 20, 20, 1])
    opt_state = tx.init(params)
    for i in range(201):
        points, initial = sample(rng, 128)
        params, opt_state, loss = step(params, opt_state, points, initial)
        if i % 100 == 0:
            print(i, f"{loss:.4f}")


if __name__ == "__main__":
    main()
