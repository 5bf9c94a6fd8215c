"""Root mean square normalisation with a learned scale."""
import flax.linen as nn
import jax
import jax.numpy as jnp


class RMSNorm(nn.Module):
    epsilon: float = 1e-6

    @nn.compact
    def __call__(self, x):
        scale = self.param("scale", jnp.ones, (x.shape[-1],))  # mistake
        variance = jnp.mean(x**2, axis=-1, keepdims=True)
        return scale * x * jax.lax.rsqrt(variance + self.epsilon)


class FeedForward(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        normed = RMSNorm()(x)
        gate = nn.silu(nn.Dense(self.width, use_bias=False)(normed))
        values = nn.Dense(self.width, use_bias=False)(normed)
        return x + nn.Dense(x.shape[-1], use_bias=False)(gate * values)


if __name__ == "__main__":
    x = 10.0 * jax.random.normal(jax.random.key(0), (2, 5, 8))
    model = FeedForward(16)
    variables = model.init(jax.random.key(1), x)
    print("parameters", sorted(variables["params"]))
    print("output", model.apply(variables, x).shape)
