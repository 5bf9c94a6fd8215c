"""Query the points about which the committee disagrees."""
import jax
import jax.numpy as jnp

from committee import committee


def most_uncertain(predictions, count):
    spread = predictions.std(axis=0)[:, 0]
    return jnp.argsort(spread)[-count:], spread


def main():
    pool = jnp.linspace(-2.0, 2.0, 20)[:, None]
    model = committee(5)
    variables = model.init(jax.random.key(0), pool)
    predictions = model.apply(variables, pool)
    chosen, spread = most_uncertain(predictions, 3)
    print("predictions", predictions.shape)
    print("disagreement", bool(spread.max() > 1e-3))


if __name__ == "__main__":
    main()
