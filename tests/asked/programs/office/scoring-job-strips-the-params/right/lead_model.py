import flax.linen as nn
import jax
import jax.numpy as jnp


class LeadScorer(nn.Module):
    n_industries: int
    hidden: tuple = (32, 16)

    @nn.compact
    def __call__(self, numeric, industry):
        x = jnp.concatenate([numeric, nn.Embed(self.n_industries, 4)(industry)], axis=-1)
        for width in self.hidden:
            x = nn.silu(nn.Dense(width)(x))
        return nn.Dense(1)(x)[:, 0]


def init_params(model, key, n_numeric):
    variables = model.init(key, jnp.zeros((1, n_numeric)), jnp.zeros((1,), jnp.int32))
    return variables["params"]


def make_scorer(model, params):
    @jax.jit
    def score(numeric, industry):
        return nn.sigmoid(model.apply({"params": params}, numeric, industry))

    return score
