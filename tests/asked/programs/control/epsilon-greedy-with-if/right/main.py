"""Walk to the right end of a corridor."""
import jax
import jax.numpy as jnp

from agent import epsilon_greedy, q_update

LENGTH = 6


@jax.jit
def train(key):
    def step(carry, key):
        table, state = carry
        action = epsilon_greedy(key, table[state], 0.3)
        following = jnp.clip(state + 2 * action - 1, 0, LENGTH - 1)
        arrived = following == LENGTH - 1
        table = q_update(table, state, action, arrived.astype(jnp.float32), following)
        return (table, jnp.where(arrived, 0, following)), None

    start = jnp.zeros((LENGTH, 2)), jnp.int32(0)
    (table, _), _ = jax.lax.scan(step, start, jax.random.split(key, 2000))
    return table


def main():
    table = train(jax.random.key(0))
    print("actions", table[:-1].argmax(-1).tolist())


if __name__ == "__main__":
    main()
