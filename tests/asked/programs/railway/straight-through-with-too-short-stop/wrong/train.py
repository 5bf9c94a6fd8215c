from functools import partial

import jax
import optax

from plant import episode_cost


@partial(jax.jit, static_argnames=("config", "n_iter"))
def train(gains, starts, config, n_iter):
    optimizer = optax.adam(0.03)

    def step(carry, _):
        gains, state = carry
        cost, grads = jax.value_and_grad(episode_cost)(gains, starts, config)
        updates, state = optimizer.update(grads, state)
        return (optax.apply_updates(gains, updates), state), cost

    (gains, _), costs = jax.lax.scan(step, (gains, optimizer.init(gains)), None, length=n_iter)
    return gains, costs
