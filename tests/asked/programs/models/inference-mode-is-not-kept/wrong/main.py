"""See whether evaluation is the same with another key."""
import jax
import jax.numpy as jnp

from classifier import Classifier
from evaluation import evaluate


def main():
    model = Classifier(jax.random.key(0))
    x = jax.random.normal(jax.random.key(1), (6, 4))
    first = evaluate(model, x, jax.random.key(2))
    second = evaluate(model, x, jax.random.key(3))
    print("same logits", bool(jnp.allclose(first, second)))


if __name__ == "__main__":
    main()
