import jax
import jax.numpy as jnp


class ProbedTransformer:
    def __init__(self, key, vocab, dim, depth):
        embed_key, *block_keys = jax.random.split(key, depth + 1)
        self.params = {
            "embed": 0.1 * jax.random.normal(embed_key, (vocab, dim)),
            "blocks": [self._init_block(k, dim) for k in block_keys],
        }

    @staticmethod
    def _init_block(key, dim):
        names = ("q", "k", "v", "o", "up", "down")
        keys = jax.random.split(key, len(names))
        return {n: jax.random.normal(k, (dim, dim)) / jnp.sqrt(dim) for n, k in zip(names, keys)}

    def _attend(self, p, x):
        q, k, v = x @ p["q"], x @ p["k"], x @ p["v"]
        scores = q @ k.T / jnp.sqrt(x.shape[-1])
        mask = jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool))
        return jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)) @ v @ p["o"]

    def forward(self, params, tokens):
        x = params["embed"][tokens]
        activations = {}
        for i, p in enumerate(params["blocks"]):
            x = x + self._attend(p, x)
            x = x + jax.nn.gelu(x @ p["up"]) @ p["down"]
            activations[f"block_{i}"] = x
        return x @ params["embed"].T, activations
