"""Count the parameters of a tower and run it."""
import jax
import jax.numpy as jnp

from blocks import Tower


def main():
    model = Tower(depth=3, width=8)
    x = jnp.linspace(-1.0, 1.0, 20).reshape(5, 4)
    variables = model.init(jax.random.key(0), x)
    count = sum(leaf.size for leaf in jax.tree.leaves(variables))
    out = jax.jit(model.apply)(variables, x)
    print("parameters", count, "output", out.shape)


if __name__ == "__main__":
    main()
