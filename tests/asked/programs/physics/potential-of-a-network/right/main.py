"""A network for the potential of a force field."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


def true_force(x):
    return jnp.stack([-x[0] + 0.3 * x[1], -2.0 * x[1] + 0.3 * x[0]])


class Field(eqx.Module):
    potential: eqx.nn.MLP

    def __init__(self, key):
        self.potential = eqx.nn.MLP(2, "scalar", width_size=16, depth=2, activation=jnp.tanh, key=key)

    def __call__(self, x):
        return -jax.grad(self.potential)(x)


def loss(field, points, forces):
    predicted = jax.vmap(field)(points)
    return jnp.mean(jnp.sum((predicted - forces) ** 2, axis=-1))


@eqx.filter_jit
def step(field, opt_state, optimizer, points, forces):
    value, grads = eqx.filter_value_and_grad(loss)(field, points, forces)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(field, eqx.is_inexact_array))
    return eqx.apply_updates(field, updates), opt_state, value


def main():
    k_net, k_points = jax.random.split(jax.random.key(5))
    points = jax.random.uniform(k_points, (64, 2), minval=-1.0)
    forces = jax.vmap(true_force)(points)
    field = Field(k_net)
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(eqx.filter(field, eqx.is_inexact_array))
    values = []
    for _ in range(60):
        field, opt_state, value = step(field, opt_state, optimizer, points, forces)
        values.append(float(value))
    print("force", field(jnp.zeros(2)).shape)
    print("learnt", values[-1] < values[0])


if __name__ == "__main__":
    main()
