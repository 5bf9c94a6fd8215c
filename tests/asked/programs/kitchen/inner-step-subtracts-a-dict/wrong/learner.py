import jax
import jax.numpy as jnp


def init_params(key, width):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "w1": jax.random.normal(k1, (1, width)) * 0.5,
        "b1": jnp.zeros(width),
        "w2": jax.random.normal(k2, (width, width)) / jnp.sqrt(width),
        "b2": jnp.zeros(width),
        "w3": jax.random.normal(k3, (width, 1)) / jnp.sqrt(width),
        "b3": jnp.zeros(1),
    }


def predict(params, x):
    h = jnp.tanh(x @ params["w1"] + params["b1"])
    h = jnp.tanh(h @ params["w2"] + params["b2"])
    return h @ params["w3"] + params["b3"]


def mse(params, data):
    return jnp.mean((predict(params, data["x"]) - data["y"]) ** 2)


def adapt(params, support, inner_lr, num_steps=1):
    for _ in range(num_steps):
        grads = jax.grad(mse)(params, support)
        params = params - inner_lr * grads  # mistake
    return params


def maml_loss(params, support, query, inner_lr):
    def task_loss(task_support, task_query):
        return mse(adapt(params, task_support, inner_lr), task_query)

    return jnp.mean(jax.vmap(task_loss)(support, query))
