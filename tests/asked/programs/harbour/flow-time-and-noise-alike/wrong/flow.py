import equinox as eqx
import jax
import jax.numpy as jnp


class VelocityField(eqx.Module):
    net: eqx.nn.MLP

    def __init__(self, width, key):
        self.net = eqx.nn.MLP(2, 1, width, 2, activation=jax.nn.silu, key=key)

    def __call__(self, x, t):
        return self.net(jnp.concatenate([x, t]))


def matching_loss(field, speeds, key):
    t = jax.random.uniform(key, speeds.shape)
    noise = jax.random.normal(key, speeds.shape)  # mistake
    x = (1.0 - t) * noise + t * speeds
    velocity = jax.vmap(field)(x, t)
    return jnp.mean((velocity - (speeds - noise)) ** 2)


@eqx.filter_jit
def generate(field, key, count, steps=50):
    start = jax.random.normal(key, (count, 1))

    def advance(x, t):
        times = jnp.full((count, 1), t)
        return x + jax.vmap(field)(x, times) / steps, None

    final, _ = jax.lax.scan(advance, start, jnp.arange(steps) / steps)
    return final[:, 0]
