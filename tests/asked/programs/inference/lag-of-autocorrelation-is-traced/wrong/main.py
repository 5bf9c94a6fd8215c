"""How fast does a chain forget?"""
import jax
import jax.numpy as jnp

from diagnostics import autocorrelations


@jax.jit
def autoregressive(key):
    def step(x, noise):
        x = 0.8 * x + noise
        return x, x

    return jax.lax.scan(step, jnp.zeros(()), jax.random.normal(key, (2000,)))[1]


def main():
    values = autocorrelations(autoregressive(jax.random.key(0)), jnp.arange(1, 6))
    print(values.shape, "falls:", bool(values[0] > values[-1]))


if __name__ == "__main__":
    main()
