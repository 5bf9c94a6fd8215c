"""Initialise a classifier with dropout."""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Classifier(nn.Module):
    classes: int = 5

    @nn.compact
    def __call__(self, x, train):
        x = nn.relu(nn.Dense(32)(x))
        x = nn.Dropout(0.3, deterministic=not train)(x)
        return nn.Dense(self.classes)(x)


def main():
    x = jnp.ones((8, 12))
    model = Classifier()
    params_key, data_key = jax.random.split(jax.random.key(0))
    dropout_key = jax.random.split(data_key)
    variables = model.init({"params": params_key, "dropout": dropout_key}, x, train=True)  # mistake
    print(jax.tree.map(jnp.shape, variables))


if __name__ == "__main__":
    main()
