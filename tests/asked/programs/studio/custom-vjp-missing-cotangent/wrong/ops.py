import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, bound):
    del bound
    return x


def _clip_fwd(x, bound):
    return x, bound


def _clip_bwd(bound, g):
    return (jnp.clip(g, -bound, bound),)  # mistake


clip_gradient.defvjp(_clip_fwd, _clip_bwd)  # mistake


def rnn_cell(params, h, x):
    h = jnp.tanh(h @ params["hh"] + x @ params["xh"] + params["b"])
    return clip_gradient(h, jnp.float32(0.1))
