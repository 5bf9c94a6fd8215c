"""A gated recurrent classifier."""
import jax
import jax.numpy as jnp

from network import GatedClassifier

if __name__ == "__main__":
    model = GatedClassifier(4, 16, 3, key=jax.random.key(0))
    series = jnp.ones((8, 20, 4))
    print(jax.vmap(model)(series).shape)
