import jax
import jax.numpy as jnp


def dense(key, n_in, n_out):
    return {"w": jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in), "b": jnp.zeros(n_out)}


def stack(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [dense(k, m, n) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def apply_stack(layers, x):
    for layer in layers[:-1]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x @ layers[-1]["w"] + layers[-1]["b"]


def init_vae(key, dim, cfg):
    hidden = [cfg.width] * cfg.n_layers
    enc, dec = jax.random.split(key)
    return {
        "enc": stack(enc, [dim, *hidden, 2 * cfg.latent]),
        "dec": stack(dec, [cfg.latent, *hidden, dim]),
    }


def elbo(params, key, x, cfg):
    mean, logvar = jnp.split(apply_stack(params["enc"], x), 2, axis=-1)
    z = mean + jnp.exp(0.5 * logvar) * jax.random.normal(key, mean.shape)
    recon = ((apply_stack(params["dec"], z) - x) ** 2).sum(-1)
    kl = 0.5 * (jnp.exp(logvar) + mean**2 - 1.0 - logvar).sum(-1)
    return (recon + cfg.beta * kl).mean()
