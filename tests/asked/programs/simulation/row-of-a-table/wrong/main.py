"""Record the state of a predator-prey model in a table of a fixed size."""
import jax
import jax.numpy as jnp

ROWS = 30


def grow(state, dt=0.05):
    prey, predators = state
    prey_rate = prey * (1.1 - 0.4 * predators)
    predator_rate = predators * (0.1 * prey - 0.4)
    return state + dt * jnp.array([prey_rate, predator_rate])


def record(table, row, state):
    return jax.lax.dynamic_update_slice(table, state[None], (row,))  # mistake


@jax.jit
def simulate(state, every):
    table = jnp.zeros((ROWS, state.size))

    def step(count, carry):
        state, table = carry
        state = grow(state)
        keep = (count % every) == 0
        table = jnp.where(keep, record(table, count // every, state), table)
        return state, table

    return jax.lax.fori_loop(0, 100, step, (state, table))


if __name__ == "__main__":
    state, table = simulate(jnp.array([10.0, 5.0]), 5)
    print("recorded", int((table.sum(axis=1) > 0.0).sum()))
    print("alive", bool(jnp.all(state > 0.0)))
