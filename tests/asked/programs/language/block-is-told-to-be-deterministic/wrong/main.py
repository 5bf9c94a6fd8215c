"""Does a sentence ask something? Blocks with norm, projection and dropout."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

WORDS, LENGTH, WIDTH = 30, 8, 16


class Block(nn.Module):
    width: int
    rate: float

    @nn.compact
    def __call__(self, x, train: bool):
        body = nn.Sequential([nn.LayerNorm(), nn.Dense(self.width), nn.gelu, nn.Dropout(self.rate)])  # mistake
        return x + body(x, deterministic=not train)  # mistake


class Asks(nn.Module):
    blocks: int = 2

    @nn.compact
    def __call__(self, words, train: bool = False):
        x = nn.Embed(WORDS, WIDTH)(words)
        for _ in range(self.blocks):
            x = Block(WIDTH, 0.1)(x, train)
        return nn.Dense(1)(x.mean(axis=1))[:, 0]


def sentences(key, count=64):
    words = jax.random.randint(key, (count, LENGTH), 0, WORDS)
    return words, (words == 3).any(axis=1).astype(jnp.float32)


def main():
    k_data, k_init, key = jax.random.split(jax.random.key(2), 3)
    words, labels = sentences(k_data)
    model = Asks()
    params = model.init(k_init, words)["params"]
    optimizer = optax.adam(3e-3)
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state, key):
        def loss_fn(params):
            logits = model.apply({"params": params}, words, train=True, rngs={"dropout": key})
            return optax.sigmoid_binary_cross_entropy(logits, labels).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    losses = []
    for _ in range(25):
        key, k_step = jax.random.split(key)
        params, opt_state, loss = step(params, opt_state, k_step)
        losses.append(float(loss))
    print("learnt", losses[-1] < losses[0])


if __name__ == "__main__":
    main()
