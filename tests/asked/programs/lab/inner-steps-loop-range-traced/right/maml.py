from functools import partial

import jax
import jax.numpy as jnp
import optax

INNER_LR = 0.02
meta_opt = optax.adam(1e-3)


def init_params(key, width=32):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (1, width)),
        "b1": jnp.zeros(width),
        "w2": jax.random.normal(k2, (width, 1)) / jnp.sqrt(width),
        "b2": jnp.zeros(1),
    }


def mse(params, x, y):
    h = jnp.tanh(x @ params["w1"] + params["b1"])
    return jnp.mean((h @ params["w2"] + params["b2"] - y) ** 2)


def adapt(params, x, y, num_inner_steps):
    for _ in range(num_inner_steps):
        grads = jax.grad(mse)(params, x, y)
        params = jax.tree.map(lambda p, g: p - INNER_LR * g, params, grads)
    return params


def meta_loss(params, tasks, num_inner_steps):
    def one(xs, ys, xq, yq):
        return mse(adapt(params, xs, ys, num_inner_steps), xq, yq)

    return jax.vmap(one)(tasks["xs"], tasks["ys"], tasks["xq"], tasks["yq"]).mean()


@partial(jax.jit, static_argnames="num_inner_steps")
def meta_step(params, opt_state, tasks, num_inner_steps):
    loss, grads = jax.value_and_grad(meta_loss)(params, tasks, num_inner_steps)
    updates, opt_state = meta_opt.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss
