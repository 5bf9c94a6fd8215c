"""Look at exploration noise before it is used."""
import jax
import jax.numpy as jnp

from noise import ornstein_uhlenbeck


def main():
    sample = jax.jit(ornstein_uhlenbeck, static_argnums=(1, 2))
    paths = sample(jax.random.key(0), 100, 3)
    print(paths.shape, "bounded:", bool(jnp.max(jnp.abs(paths)) < 5.0))


if __name__ == "__main__":
    main()
