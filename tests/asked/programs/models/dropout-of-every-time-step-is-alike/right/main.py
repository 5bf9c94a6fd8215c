"""See whether dropout hides other inputs at each time step."""
import flax.linen as nn
import jax
import jax.numpy as jnp

from cell import Cell


class Recurrent(nn.Module):
    features: int = 6

    @nn.compact
    def __call__(self, sequence):
        scanned = nn.scan(
            Cell,
            variable_broadcast="params",
            split_rngs={"params": False, "dropout": True},
        )
        state = jnp.zeros(self.features)
        _, (states, hidden) = scanned(self.features, 0.5)(state, sequence)
        return states, hidden


if __name__ == "__main__":
    sequence = 1.0 + jnp.arange(40.0).reshape(5, 8)
    model = Recurrent()
    keys = {"params": jax.random.key(0), "dropout": jax.random.key(1)}
    variables = model.init(keys, sequence)
    states, hidden = model.apply(variables, sequence, rngs={"dropout": jax.random.key(2)})
    masks = {tuple(row) for row in hidden.astype(int).tolist()}
    print("states", states.shape)
    print("masks differ", len(masks) > 1)
