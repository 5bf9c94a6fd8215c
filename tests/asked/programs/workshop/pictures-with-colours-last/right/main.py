"""Find scratches on painted wood."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Scratches(eqx.Module):
    first: eqx.nn.Conv2d
    second: eqx.nn.Conv2d
    head: eqx.nn.Linear

    def __init__(self, key):
        k1, k2, k3 = jax.random.split(key, 3)
        self.first = eqx.nn.Conv2d(3, 6, kernel_size=3, key=k1)
        self.second = eqx.nn.Conv2d(6, 8, kernel_size=3, stride=2, key=k2)
        self.head = eqx.nn.Linear(8, 1, key=k3)

    def __call__(self, picture):
        x = jax.nn.relu(self.first(jnp.transpose(picture, (2, 0, 1))))
        x = jax.nn.relu(self.second(x))
        return self.head(jnp.max(x, axis=(1, 2)))[0]


def boards(rng, n=32):
    """Pictures of 16 by 16 with three colours; half of them have a bright line."""
    pictures = rng.normal(0.5, 0.1, (n, 16, 16, 3)).astype(np.float32)
    scratched = rng.random(n) < 0.5
    for number in np.flatnonzero(scratched):
        pictures[number, rng.integers(2, 14), 3:13] += 1.5
    return pictures, scratched.astype(np.float32)


def loss_fn(model, pictures, scratched):
    logits = jax.vmap(model)(pictures)
    return optax.sigmoid_binary_cross_entropy(logits, scratched).mean()


def main():
    rng = np.random.default_rng(0)
    model = Scratches(jax.random.key(0))
    optimizer = optax.adam(0.01)
    state = optimizer.init(eqx.filter(model, eqx.is_array))

    @eqx.filter_jit
    def step(model, state, pictures, scratched):
        loss, grads = eqx.filter_value_and_grad(loss_fn)(model, pictures, scratched)
        updates, state = optimizer.update(grads, state)
        return eqx.apply_updates(model, updates), state, loss

    for _ in range(80):
        model, state, loss = step(model, state, *boards(rng))
    print("finds most:", bool(loss < 0.3))


if __name__ == "__main__":
    main()
