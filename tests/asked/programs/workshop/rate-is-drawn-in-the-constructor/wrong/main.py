"""A network whose inner scale is chosen at random, once."""

import random

import haiku as hk
import jax
import jax.numpy as jnp
import optax

generator = random.Random(3)


class Waves(hk.Module):
    """Sines of a random frequency, and a layer on top."""

    def __init__(self, width):
        super().__init__()
        self.frequency = generator.uniform(1.0, 4.0)  # mistake
        self.width = width

    def __call__(self, x):
        shifts = hk.get_parameter("shifts", (self.width,), init=hk.initializers.RandomUniform(0.0, 6.0))
        return hk.Linear(1)(jnp.sin(self.frequency * x + shifts))[..., 0]


def forward(x):
    return Waves(32)(x)


network = hk.without_apply_rng(hk.transform(forward))
optimizer = optax.adam(0.02)


@jax.jit
def step(params, state, x, y):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((network.apply(p, x) - y) ** 2))(params)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


def main():
    x = jnp.linspace(-1.0, 1.0, 100)[:, None]
    y = jnp.sin(2.5 * x[:, 0])
    params = network.init(jax.random.key(0), x)
    state = optimizer.init(params)
    for _ in range(300):
        params, state, loss = step(params, state, x, y)
    print("fits in training:", bool(loss < 0.01))
    prediction = network.apply(params, x)
    print("fits afterwards:", bool(jnp.mean((prediction - y) ** 2) < 0.01))


if __name__ == "__main__":
    main()
