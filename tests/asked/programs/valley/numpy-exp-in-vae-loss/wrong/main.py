import haiku as hk
import jax
import numpy as np
import optax

from losses import elbo_loss
from networks import VAE


def forward(x):
    return VAE(latent_dim=4, hidden=32, data_dim=16)(x)


def make_batches(num, batch_size, seed=0):
    rng = np.random.default_rng(seed)
    basis = rng.normal(size=(3, 16))
    for _ in range(num):
        code = rng.normal(size=(batch_size, 3))
        x = 1 / (1 + np.exp(-code @ basis))
        yield x.astype(np.float32)


def main():
    model = hk.transform(forward)
    init_key, key = jax.random.split(jax.random.PRNGKey(0))
    params = model.init(init_key, np.zeros((1, 16), np.float32))
    opt = optax.adam(3e-3)
    opt_state = opt.init(params)

    def loss_fn(params, key, x):
        out = model.apply(params, key, x)
        return elbo_loss(out, x, beta=0.5)

    @jax.jit
    def step(params, opt_state, key, x):
        (loss, parts), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, key, x)
        updates, opt_state = opt.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss, parts

    for i, x in enumerate(make_batches(60, 32)):
        key, step_key = jax.random.split(key)
        params, opt_state, loss, parts = step(params, opt_state, step_key, x)
        if i % 20 == 0:
            print(i, f"loss {loss:.3f} kl {parts['kl']:.3f}")
    print("last", f"{loss:.3f}")


if __name__ == "__main__":
    main()
