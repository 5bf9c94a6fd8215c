"""Normalise features with Equinox batch norm."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Normalised(eqx.Module):
    norm: eqx.nn.BatchNorm
    head: eqx.nn.Linear

    def __init__(self, features, key):
        self.norm = eqx.nn.BatchNorm(features, axis_name="batch", mode="batch")
        self.head = eqx.nn.Linear(features, 1, key=key)

    def __call__(self, x, state):
        x, state = self.norm(x, state)
        return self.head(x)[0], state


@eqx.filter_jit
def forward(model, state, x):
    batched = jax.vmap(model, in_axes=(0, None), out_axes=(0, None), axis_name="batch")
    return batched(x, state)


def main():
    k_model, k_x = jax.random.split(jax.random.key(0))
    model, state = eqx.nn.make_with_state(Normalised)(5, k_model)
    x = 3.0 + jax.random.normal(k_x, (20, 5))
    for _ in range(3):
        out, state = forward(model, state, x)
    print(out.shape, "finite", bool(jnp.all(jnp.isfinite(out))))


if __name__ == "__main__":
    main()
