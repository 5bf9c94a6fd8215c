import jax
import jax.numpy as jnp
import optax

from equilibrium import reaction_map, residual_norm
from fixed_point import solve_fixed_point


def steady_state(params, feed):
    return solve_fixed_point(reaction_map, {"params": params, "feed": feed}, jnp.ones(3))


def loss_fn(params, feeds, targets):
    states = jax.vmap(lambda f: steady_state(params, f))(feeds)
    return jnp.mean((states - targets) ** 2)


def main():
    key = jax.random.key(0)
    feeds = jax.random.uniform(key, (16, 3), minval=0.5, maxval=1.5)
    true_params = {"rate": jnp.array([0.3, 0.2, 0.25]), "mix": jnp.array(0.15)}
    targets = jax.vmap(lambda f: steady_state(true_params, f))(feeds)

    params = {"rate": jnp.full(3, 0.1), "mix": jnp.array(0.05)}
    tx = optax.adam(2e-2)
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state):
        loss, grads = jax.value_and_grad(loss_fn)(params, feeds, targets)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for i in range(120):
        params, opt_state, loss = step(params, opt_state)
        if i % 40 == 0:
            print(i, float(loss))
    x = steady_state(params, feeds[0])
    print("residual small:", bool(residual_norm(x, {"params": params, "feed": feeds[0]}) < 1e-3))
    print("rates:", params["rate"].round(2))


if __name__ == "__main__":
    main()
