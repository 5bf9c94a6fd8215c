import jax
import jax.numpy as jnp
import numpy as np
import optax

import td
from chain import N, random_walk, true_values

GAMMA = 1.0
tx = optax.adam(1e-2)


@jax.jit
def fit(params, batch, key):
    n = batch[0].shape[0]

    def step(carry, k):
        params, opt_state = carry
        idx = jax.random.randint(k, (64,), 0, n)
        grads = jax.grad(td.td_loss)(params, *(b[idx] for b in batch), GAMMA)
        updates, opt_state = tx.update(grads, opt_state)
        return (optax.apply_updates(params, updates), opt_state), None

    (params, _), _ = jax.lax.scan(step, (params, tx.init(params)), jax.random.split(key, 1500))
    return params


def main():
    init_key, fit_key = jax.random.split(jax.random.key(1))
    batch = tuple(jnp.asarray(b) for b in random_walk(300, seed=0))
    params = fit(td.init(init_key, N, 32), batch, fit_key)
    learned = np.asarray(td.value(params, jnp.eye(N)))
    print("learned", np.round(learned, 2))
    print("rmse %.3f" % np.sqrt(np.mean((learned - true_values()) ** 2)))


main()
