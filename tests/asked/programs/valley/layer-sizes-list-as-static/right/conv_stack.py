from functools import partial

import jax
import jax.numpy as jnp


def init_stack(key, channels, kernel):
    pairs = list(zip(channels[:-1], channels[1:]))
    keys = jax.random.split(key, len(pairs))
    return [
        jax.random.normal(k, (kernel, c_in, c_out)) / jnp.sqrt(kernel * c_in)
        for k, (c_in, c_out) in zip(keys, pairs)
    ]


@partial(jax.jit, static_argnames="strides")
def apply_stack(params, x, strides):
    for w, stride in zip(params, strides):
        x = jax.lax.conv_general_dilated(
            x,
            w,
            window_strides=(stride,),
            padding="SAME",
            dimension_numbers=("NWC", "WIO", "NWC"),
        )
        x = jax.nn.gelu(x)
    return x
