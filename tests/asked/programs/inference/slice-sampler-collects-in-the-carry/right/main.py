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
        _, _, count = state
        return count < WANTED

    def attempt(state):
        key, draws, count = state
        key, key_propose = jax.random.split(key)
        value, ok = propose(key_propose)
        draws = draws.at[count].set(jnp.where(ok, value, draws[count]))
        return key, draws, count + ok

    _, draws, _ = jax.lax.while_loop(unfinished, attempt, (key, jnp.zeros(WANTED), 0))
    return draws


def main():
    draws = truncated_exponential(jax.random.key(0))
    print(draws.shape, 0.2 < float(draws.mean()) < 2.0)


if __name__ == "__main__":
    main()
