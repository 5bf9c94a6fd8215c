"""Rejection sampling of a truncated distribution."""
import jax
import jax.numpy as jnp

WANTED = 20


def propose(key):
    k_value, k_height = jax.random.split(key)
    value = jax.random.uniform(k_value, (), minval=0.0, maxval=3.0)
    height = jax.random.uniform(k_height)
    return value, height < jnp.exp(-value)


@jax.jit
def truncated_exponential(key):
    def unfinished(state):
        _, draws = state
        return draws.shape[0] < WANTED

    def attempt(state):
        key, draws = state
        key, key_propose = jax.random.split(key)
        value, ok = propose(key_propose)
        return key, jnp.concatenate([draws, jnp.where(ok, value, 0.0)[None]])  # mistake

    _, draws = jax.lax.while_loop(unfinished, attempt, (key, jnp.zeros(0)))  # mistake
    return draws


def main():
    draws = truncated_exponential(jax.random.key(0))
    print(draws.shape, 0.2 < float(draws.mean()) < 2.0)


if __name__ == "__main__":
    main()
