"""Use weights that were trained with another library."""
import flax.linen as nn
import jax.numpy as jnp
import numpy as np


class Network(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(16, name="fc1")(x))
        return nn.Dense(4, name="fc2")(x)


def stored():
    """The file of weights, as a dict of arrays."""
    rng = np.random.default_rng(0)
    return {
        "fc1.weight": rng.normal(size=(16, 8)).astype(np.float32),
        "fc1.bias": np.zeros(16, np.float32),
        "fc2.weight": rng.normal(size=(4, 16)).astype(np.float32),
        "fc2.bias": np.zeros(4, np.float32),
    }


def convert(weights):
    params = {}
    for name, value in weights.items():
        layer, kind = name.split(".")
        if kind == "weight":
            params.setdefault(layer, {})["kernel"] = jnp.asarray(value.T)
        else:
            params.setdefault(layer, {})["bias"] = jnp.asarray(value)
    return params


if __name__ == "__main__":
    weights = stored()
    x = jnp.ones((3, 8))
    logits = Network().apply({"params": convert(weights)}, x)
    hidden = np.maximum(np.ones(8) @ weights["fc1.weight"].T, 0.0)
    expected = hidden @ weights["fc2.weight"].T
    print("same", bool(np.allclose(logits[0], expected, atol=1e-2)))
