import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

HPARAMS = {"beta": 0.0, "warmup": 50, "latent": 3, "lr": 3e-3}


class BetaVAE(hk.Module):
    def __call__(self, x):
        stats = hk.nets.MLP([32, 2 * HPARAMS["latent"]], name="enc")(x)
        mu, logvar = jnp.split(stats, 2, axis=-1)
        z = mu + jnp.exp(0.5 * logvar) * jax.random.normal(hk.next_rng_key(), mu.shape)
        recon = hk.nets.MLP([32, x.shape[-1]], name="dec")(z)
        return recon, mu, logvar


model = hk.transform(lambda x: BetaVAE()(x))
optimizer = optax.adam(HPARAMS["lr"])


def loss_fn(params, key, x):
    recon, mu, logvar = model.apply(params, key, x)
    rec = jnp.mean(jnp.sum((recon - x) ** 2, axis=-1))
    kl = 0.5 * jnp.mean(jnp.sum(jnp.exp(logvar) + mu**2 - 1.0 - logvar, axis=-1))
    loss = rec + HPARAMS["beta"] * kl  # mistake
    return loss, {"rec": rec, "kl": kl, "beta_used": (loss - rec) / kl}


@jax.jit
def update(params, opt_state, key, x):
    grads, logs = jax.grad(loss_fn, has_aux=True)(params, key, x)
    deltas, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, deltas), opt_state, logs


def sample_data(rng, n):
    code = rng.normal(size=(n, 2))
    mix = np.array([[1.0, 0.5, -0.3, 0.2], [0.1, -0.7, 0.9, 0.4]])
    return (code @ mix + 0.05 * rng.normal(size=(n, 4))).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    init_key, key = jax.random.split(jax.random.PRNGKey(9))
    params = model.init(init_key, sample_data(rng, 1))
    opt_state = optimizer.init(params)
    for step in range(121):
        HPARAMS["beta"] = min(1.0, step / HPARAMS["warmup"])  # mistake
        key, step_key = jax.random.split(key)
        params, opt_state, logs = update(
            params, opt_state, step_key, sample_data(rng, 64)
        )
        if step % 40 == 0:
            print(step, {k: round(float(v), 3) for k, v in logs.items()})


if __name__ == "__main__":
    main()
