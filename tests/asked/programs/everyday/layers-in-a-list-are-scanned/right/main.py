"""A deep residual network whose blocks are all alike."""
import jax
import jax.numpy as jnp

WIDTH = 16
DEPTH = 6


def init_block(key):
    return {"w": jax.random.normal(key, (WIDTH, WIDTH)) / jnp.sqrt(WIDTH), "b": jnp.zeros(WIDTH)}


def init_params(key):
    blocks = [init_block(k) for k in jax.random.split(key, DEPTH)]
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *blocks)


def apply_block(x, block):
    return x + jnp.tanh(x @ block["w"] + block["b"]), None


@jax.jit
def forward(params, x):
    x, _ = jax.lax.scan(apply_block, x, params)
    return x


if __name__ == "__main__":
    params = init_params(jax.random.key(0))
    print(forward(params, jnp.ones((4, WIDTH))).shape)
