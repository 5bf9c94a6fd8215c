import haiku as hk
import jax
import numpy as np
import optax

from vae import VAE, negative_elbo

net = hk.transform(lambda x: VAE(latent=2, hidden=32)(x))
tx = optax.adam(3e-3)


def spectra(n, seed=0):
    rng = np.random.default_rng(seed)
    centre, width = rng.uniform(5, 15, (n, 1)), rng.uniform(1, 3, (n, 1))
    return np.exp(-((np.arange(20) - centre) ** 2) / (2 * width**2)).astype(np.float32)


def loss_fn(params, x, key):
    return negative_elbo(net.apply(params, key, x), x)  # mistake


@jax.jit
def update(params, opt_state, x, key):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, key)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


@jax.jit
def evaluate(params, x):
    return loss_fn(params, x, None)  # mistake


def main():
    data, held_out = spectra(512), spectra(128, seed=9)
    init_key, train_key = jax.random.split(jax.random.key(0))
    params = net.init(init_key, data[:2])
    opt_state = tx.init(params)
    for i in range(100):
        batch = data[(i % 8) * 64:(i % 8 + 1) * 64]
        params, opt_state, loss = update(params, opt_state, batch, jax.random.fold_in(train_key, i))
    print(f"train loss {loss:.3f}")
    print(f"held-out loss {evaluate(params, held_out):.3f}")


if __name__ == "__main__":
    main()
