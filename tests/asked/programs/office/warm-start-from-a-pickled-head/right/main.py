import io

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import serialization


class ProductTagger(nn.Module):
    n_tags: int
    width: int = 32

    def setup(self):
        self.trunk = nn.Sequential([nn.Dense(self.width), nn.gelu, nn.Dense(self.width), nn.gelu])
        self.head = nn.Dense(self.n_tags)

    def __call__(self, x):
        return self.head(self.trunk(x))


def products(n, n_tags, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 16)).astype(np.float32)
    tags = (x[:, :n_tags] > 0.7).astype(np.float32)
    return x, tags


def fit(model, params, x, tags, steps=60):
    tx = optax.adam(1e-2)

    def step(carry, _):
        params, opt_state = carry

        def loss_fn(p):
            return optax.sigmoid_binary_cross_entropy(model.apply({"params": p}, x), tags).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state)
        return (optax.apply_updates(params, updates), opt_state), loss

    (params, _), losses = jax.lax.scan(step, (params, tx.init(params)), None, length=steps)
    return params, losses


def save(params):
    buffer = io.BytesIO()
    buffer.write(serialization.msgpack_serialize(serialization.to_state_dict(params)))
    return buffer.getvalue()


def warm_start(model, key, blob):
    fresh = model.init(key, jnp.zeros((1, 16)))["params"]
    stored = serialization.msgpack_restore(blob)
    return {**fresh, "trunk": stored["trunk"]}


def main():
    old_key, new_key = jax.random.split(jax.random.key(0))
    old = ProductTagger(n_tags=5)
    params = old.init(old_key, jnp.zeros((1, 16)))["params"]
    params, losses = fit(old, params, *products(256, 5, seed=0))
    print(f"last year {losses[0]:.3f} -> {losses[-1]:.3f}")

    new = ProductTagger(n_tags=7)
    params = warm_start(new, new_key, save(params))
    params, losses = fit(new, params, *products(256, 7, seed=1))
    print(f"this year {losses[0]:.3f} -> {losses[-1]:.3f}")


if __name__ == "__main__":
    main()
