import equinox as eqx
import jax
import jax.numpy as jnp


class GRUForecaster(eqx.Module):
    cell: eqx.nn.GRUCell
    head: eqx.nn.Linear
    hidden: int = eqx.field(static=True)

    def __init__(self, hidden: int, *, key):
        cell_key, head_key = jax.random.split(key)
        self.cell = eqx.nn.GRUCell(1, hidden, key=cell_key)
        self.head = eqx.nn.Linear(hidden, 1, key=head_key)
        self.hidden = hidden

    def one_step(self, state, value):
        state = self.cell(value[None], state)
        return state, value + self.head(state)[0]

    def __call__(self, history):
        def read(state, value):
            return self.one_step(state, value)

        return jax.lax.scan(read, jnp.zeros(self.hidden), history)

    def forecast(self, history, horizon: int):
        state, preds = self(history)

        def roll(carry, _):
            state, value = carry
            state, new_value = self.one_step(state, value)
            return (state, new_value), value

        _, future = jax.lax.scan(roll, (state, preds[-1]), None, length=horizon)
        return future
