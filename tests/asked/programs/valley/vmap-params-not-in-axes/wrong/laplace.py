import jax
import jax.numpy as jnp
import optax
from jax.flatten_util import ravel_pytree


def fit_map(log_joint, x, y, steps, lr):
    params = {"w": jnp.zeros(x.shape[-1]), "b": jnp.zeros(())}
    tx = optax.adam(lr * 10)

    def body(carry, _):
        params, opt_state = carry
        value, grads = jax.value_and_grad(lambda p: -log_joint(p, x, y))(params)
        updates, opt_state = tx.update(grads, opt_state)
        return (optax.apply_updates(params, updates), opt_state), -value

    (params, _), values = jax.lax.scan(body, (params, tx.init(params)), None, length=steps)
    return params, values[-1]


def laplace_covariance(log_joint, params, x, y):
    flat, unravel = ravel_pytree(params)
    hess = jax.hessian(lambda f: -log_joint(unravel(f), x, y))(flat)
    return jnp.linalg.inv(hess)
