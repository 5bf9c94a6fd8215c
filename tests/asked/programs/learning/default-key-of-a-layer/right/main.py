"""Look at the hidden layers of a new network."""
import jax
import jax.numpy as jnp

from layers import apply, dense


def network(depth, width, key):
    keys = jax.random.split(key, depth)
    return [dense(width, width, key) for key in keys]


def alike(first, second):
    return bool(jnp.all(first["weights"] == second["weights"]))


def main():
    layers = network(4, 8, jax.random.key(3))
    pairs = zip(layers[:-1], layers[1:])
    print("layers alike", [alike(*pair) for pair in pairs])
    print("output", apply(layers, jnp.ones((2, 8))).shape)


if __name__ == "__main__":
    main()
