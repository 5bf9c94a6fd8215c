"""Watch the scale of activations during training."""
import jax
import jax.numpy as jnp

SIZES = (4, 16, 16, 1)


def init(key):
    keys = jax.random.split(key, len(SIZES) - 1)
    return [
        jax.random.normal(key, (inputs, outputs)) / inputs**0.5
        for key, inputs, outputs in zip(keys, SIZES[:-1], SIZES[1:])
    ]


def watch(number, x):
    scale = jnp.sqrt(jnp.mean(x**2))
    jax.debug.print("layer {} is on: {}", number, scale > 0.01)


def forward(layers, x):
    for number, weights in enumerate(layers[:-1]):
        x = jax.nn.relu(x @ weights)
        watch(number, x)
    return (x @ layers[-1])[:, 0]


@jax.jit
def step(layers, x, y):
    grads = jax.grad(lambda layers: jnp.mean((forward(layers, x) - y) ** 2))(layers)
    return jax.tree.map(lambda w, g: w - 0.05 * g, layers, grads)


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(1), (8, SIZES[0]))
    layers = init(jax.random.key(0))
    for _ in range(2):
        layers = step(layers, x, x.sum(axis=1))
    jax.effects_barrier()
