import jax
import jax.numpy as jnp


def init_params(key, sizes):
    params = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:]):
        key, sub = jax.random.split(key)
        bound = (6.0 / (n_in + n_out)) ** 0.5
        w = jax.random.uniform(sub, (n_in, n_out), minval=-bound, maxval=bound)
        params.append((w, jnp.zeros(n_out)))
    return params


def mlp(params, x):
    *hidden, (w_out, b_out) = params
    for w, b in hidden:
        x = jnp.tanh(x @ w + b)
    return x @ w_out + b_out
