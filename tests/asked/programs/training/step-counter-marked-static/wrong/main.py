"""A sparse autoencoder with an annealed penalty, in Haiku."""
import functools
from typing import NamedTuple

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from schedules import anneal


class Output(NamedTuple):
    code: jax.Array
    recon: jax.Array


def autoencoder(x, code_size: int):
    code = jax.nn.relu(hk.Linear(code_size)(x))
    return Output(code, hk.Linear(x.shape[-1])(code))


model = hk.without_apply_rng(hk.transform(autoencoder))
optimizer = optax.sgd(5e-2)


def objective(params, x, code_size, weight):
    out = model.apply(params, x, code_size)
    if x.ndim != 2:
        raise ValueError(f"expected (batch, features), got {x.shape}")
    return jnp.mean((out.recon - x) ** 2) + weight * jnp.mean(jnp.abs(out.code))


@functools.partial(jax.jit, static_argnames=("step", "code_size"))  # mistake
def update(params, opt_state, x, step, code_size=8):
    weight = 0.1 * anneal(step)
    loss, grads = jax.value_and_grad(objective)(params, x, code_size, weight)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    rng = np.random.default_rng(0)
    data = (rng.normal(size=(128, 2)) @ rng.normal(size=(2, 6))).astype(np.float32)
    init = jax.jit(model.init, static_argnums=2)
    params = init(jax.random.PRNGKey(0), data[:1], 8)
    opt_state = optimizer.init(params)
    for step in range(7):
        params, opt_state, loss = update(params, opt_state, data, step, code_size=8)  # mistake
    print(f"loss {loss:.4f}")
    print("programs compiled:", update._cache_size())


if __name__ == "__main__":
    main()
