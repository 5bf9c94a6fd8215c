"""Go on from a checkpoint with a deeper network."""
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import serialization


class Network(nn.Module):
    depth: int

    @nn.compact
    def __call__(self, x):
        for number in range(self.depth):
            x = nn.tanh(nn.Dense(8, name=f"hidden_{number}")(x))
        return nn.Dense(1, name="head")(x)[:, 0]


def create(depth, x):
    model = Network(depth)
    return model, model.init(jax.random.key(depth), x)["params"]


def restore(data, params):
    saved = serialization.msgpack_restore(data)
    return {**params, **jax.tree.map(jnp.asarray, saved)}


def main():
    x = jax.random.normal(jax.random.key(0), (6, 8))
    _, small = create(2, x)
    data = serialization.to_bytes(small)
    model, params = create(3, x)
    params = restore(data, params)
    kept = jnp.all(params["hidden_1"]["kernel"] == small["hidden_1"]["kernel"])
    print("restored", bool(kept))
    print("outputs", model.apply({"params": params}, x).shape)


if __name__ == "__main__":
    main()
