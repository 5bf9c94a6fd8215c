"""Explore a field with a noisy policy."""
import jax
import jax.numpy as jnp

from policy import act


def main():
    weights = jnp.zeros((2, 2))
    position = jnp.zeros(2)
    key = jax.random.PRNGKey(3)
    visited = set()
    for _ in range(30):
        key, key_act = jax.random.split(key)
        move = act(weights, position, key_act)
        visited.add(tuple(move.round(3).tolist()))
        position = position + move
    print("different moves", len(visited))


if __name__ == "__main__":
    main()
