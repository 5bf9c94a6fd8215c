"""Compress sentences to short codes and read them back."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Compressor(nn.Module):
    width: int
    code: int
    out_width: int | None = None

    def setup(self):
        out_width = self.width if self.out_width is None else self.out_width
        self.encoder = nn.Dense(self.code)
        self.decoder = nn.Dense(out_width)

    def encode(self, x):
        return nn.tanh(self.encoder(x))

    def __call__(self, x):
        return self.decoder(self.encode(x))


PLANE = jax.random.normal(jax.random.key(42), (3, 10))


def sentences(key, n):
    """Sentences that lie near a plane."""
    k_place, k_noise = jax.random.split(key)
    place = jax.random.normal(k_place, (n, PLANE.shape[0]))
    return 0.3 * place @ PLANE + 0.01 * jax.random.normal(k_noise, (n, PLANE.shape[1]))


def main():
    model = Compressor(width=10, code=3)
    x = sentences(jax.random.key(0), 128)
    params = model.init(jax.random.key(1), x)["params"]
    optimizer = optax.adam(0.02)
    state = optimizer.init(params)

    def loss_fn(params, x):
        return jnp.mean((model.apply({"params": params}, x) - x) ** 2)

    @jax.jit
    def step(params, state, x):
        loss, grads = jax.value_and_grad(loss_fn)(params, x)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    for number in range(200):
        params, state, loss = step(params, state, sentences(jax.random.key(number), 128))
    codes = model.apply({"params": params}, x, method="encode")
    print("codes", codes.shape)
    print("read back:", bool(loss < 0.3 * jnp.mean(x**2)))


if __name__ == "__main__":
    main()
