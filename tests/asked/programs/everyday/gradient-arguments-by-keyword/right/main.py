"""Logistic regression with an intercept."""
import jax
import jax.numpy as jnp
import optax

from objective import objective

optimizer = optax.sgd(0.5)


@jax.jit
def update(params, opt_state, features, labels):
    loss, grads = jax.value_and_grad(objective)(params, features=features, labels=labels, penalty=1e-3)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


if __name__ == "__main__":
    features = jax.random.normal(jax.random.key(0), (200, 4))
    labels = (features[:, 0] > 0).astype(jnp.float32)
    params = {"w": jnp.zeros(4), "b": jnp.array(0.0)}
    opt_state = optimizer.init(params)
    for _ in range(100):
        params, opt_state, loss = update(params, opt_state, features, labels)
    print(float(loss) < 0.5)
