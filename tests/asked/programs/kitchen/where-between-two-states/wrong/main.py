from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from kernel import build_kernel
from target import HierarchicalScores

SCORES = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0], np.float32)
ERRORS = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0], np.float32)


@partial(jax.jit, static_argnames=("kernel", "num_draws"))
def sample_chain(key, state, kernel, num_draws):
    _, (draws, accepted) = jax.lax.scan(kernel, state, jax.random.split(key, num_draws))
    return draws, jnp.mean(accepted)


def main():
    model = HierarchicalScores(SCORES, ERRORS)
    position = model.initial()
    state = {"position": position, "log_density": model.log_density(position)}
    kernel = build_kernel(model.log_density, scale=0.4)
    draws, rate = sample_chain(jax.random.key(12), state, kernel, num_draws=20000)
    kept = jax.tree.map(lambda x: x[5000:], draws)
    print(f"acceptance {rate:.2f}")
    print(f"mu {kept['mu'].mean():.2f} +- {kept['mu'].std():.2f}")
    print(f"tau {jnp.exp(kept['log_tau']).mean():.2f}")


if __name__ == "__main__":
    main()
