"""Estimate a mean robustly."""
import jax
import jax.numpy as jnp
import optax

tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(0.05))


def huber(params, data):
    return optax.huber_loss(data, params["location"]).mean()


@jax.jit
def update(params, opt_state, data):
    loss, grads = jax.value_and_grad(huber)(params, data)
    updates, opt_state = tx.update(grads, opt_state, params)
    params = optax.apply_updates(params, updates)
    return params, opt_state, loss


def main():
    data = 3.0 + jax.random.normal(jax.random.key(0), (500,))
    params = {"location": jnp.array(0.0)}
    opt_state = tx.init(params)
    for _ in range(300):
        params, opt_state, loss = update(params, opt_state, data)
    print("close", abs(float(params["location"]) - 3.0) < 0.2)


if __name__ == "__main__":
    main()
