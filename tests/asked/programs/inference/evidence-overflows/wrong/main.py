"""Expectation maximisation."""
import jax.numpy as jnp
import numpy as np

from mixture import em_step


def main():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(-40, 1, 50), rng.normal(40, 1, 50), rng.normal(0, 1, 20)]).astype(np.float32)
    means = jnp.array([-5.0, 1.0, 5.0])
    for _ in range(20):
        means = em_step(x, means, jnp.float32(1.0))
    print("means are numbers:", bool(jnp.all(jnp.isfinite(means))))


if __name__ == "__main__":
    main()
