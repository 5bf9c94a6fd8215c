"""Report the interval of a transformed parameter."""
import jax
import jax.numpy as jnp

from summaries import describe


def main():
    draws = jax.random.normal(jax.random.key(0), (2000,))
    print("rate", describe(jnp.exp(0.5 * draws)))
    print("shift", describe(2.0 + draws))


if __name__ == "__main__":
    main()
