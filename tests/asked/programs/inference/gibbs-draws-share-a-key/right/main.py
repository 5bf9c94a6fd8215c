"""Gibbs sampling of two independent Gaussians."""
import jax
import jax.numpy as jnp

RHO = 0.0


def conditional(key, other):
    return RHO * other + jnp.sqrt(1 - RHO**2) * jax.random.normal(key)


@jax.jit
def sample(key):
    def sweep(state, key):
        x, y = state
        key_x, key_y = jax.random.split(key)
        x = conditional(key_x, y)
        y = conditional(key_y, x)
        return (x, y), jnp.stack([x, y])

    keys = jax.random.split(key, 1000)
    _, draws = jax.lax.scan(sweep, (jnp.zeros(()), jnp.zeros(())), keys)
    return draws


def main():
    draws = sample(jax.random.key(0))
    correlation = jnp.corrcoef(draws.T)[0, 1]
    print("correlation", round(float(abs(correlation)), 1))


if __name__ == "__main__":
    main()
