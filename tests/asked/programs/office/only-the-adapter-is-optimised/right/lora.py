import jax
import jax.numpy as jnp


def init_base(key, dims):
    keys = jax.random.split(key, len(dims) - 1)
    return {f"layer_{i}": jax.random.normal(k, (m, n)) / m**0.5
            for i, (k, m, n) in enumerate(zip(keys, dims[:-1], dims[1:]))}


def init_adapter(key, base, rank):
    adapter = {}
    for k, (name, w) in zip(jax.random.split(key, len(base)), sorted(base.items())):
        adapter[name] = {"a": 0.02 * jax.random.normal(k, (w.shape[0], rank)), "b": jnp.zeros((rank, w.shape[1]))}
    return adapter


def forward(params, x, scale=2.0):
    names = sorted(params["base"])
    for name in names:
        delta = params["adapter"][name]
        x = x @ params["base"][name] + scale * (x @ delta["a"]) @ delta["b"]
        if name != names[-1]:
            x = jax.nn.gelu(x)
    return x
