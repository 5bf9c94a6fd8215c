import equinox as eqx
import jax
import jax.numpy as jnp


class VectorField(eqx.Module):
    net: eqx.nn.MLP
    time_embed: eqx.nn.Linear

    def __init__(self, dim, width, *, key):
        k_net, k_time = jax.random.split(key)
        self.time_embed = eqx.nn.Linear(1, 8, key=k_time)
        self.net = eqx.nn.MLP(dim + 8, dim, width, depth=2, activation=jax.nn.silu, key=k_net)

    def __call__(self, t, x):
        emb = jnp.sin(self.time_embed(t[None]))
        return self.net(jnp.concatenate([x, emb]))


def flow_matching_loss(field, x1, key):
    k_noise, k_time = jax.random.split(key)
    x0 = jax.random.normal(k_noise, x1.shape)
    t = jax.random.uniform(k_time, (x1.shape[0],))
    xt = (1 - t[:, None]) * x0 + t[:, None] * x1
    pred = jax.vmap(field)(t, xt)
    return jnp.mean(jnp.sum((pred - (x1 - x0)) ** 2, axis=-1))
