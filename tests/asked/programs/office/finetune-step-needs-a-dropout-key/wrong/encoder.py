import flax.linen as nn
import jax.numpy as jnp

from config import FinetuneConfig


class TicketEncoder(nn.Module):
    config: FinetuneConfig

    @nn.compact
    def __call__(self, tokens, deterministic: bool):
        cfg = self.config
        x = nn.Embed(cfg.vocab_size, cfg.width, name="embed")(tokens)
        x = nn.LayerNorm(name="norm")(x)
        x = nn.relu(nn.Dense(cfg.width, name="mix")(x))
        x = jnp.mean(x, axis=1)
        x = nn.Dropout(cfg.dropout)(x, deterministic=deterministic)
        return nn.Dense(cfg.classes, name="head")(x)
