"""A stack of layers that is described by settings."""
from functools import partial

import jax
import jax.numpy as jnp

from config import ModelConfig


def init(key, config):
    return 0.3 * jax.random.normal(key, (config.layers, config.width, config.width))


@partial(jax.jit, static_argnames="config")
def forward(params, x, config):
    for layer in range(config.layers):
        y = jnp.tanh(x @ params[layer])
        x = x + y if config.residual else y
    return x


def main():
    x = jnp.ones((2, 8))
    for residual in (True, False):
        config = ModelConfig(residual=residual)
        params = init(jax.random.key(0), config)
        out = forward(params, x, config=config)  # mistake
        print(residual, out.shape)


if __name__ == "__main__":
    main()
