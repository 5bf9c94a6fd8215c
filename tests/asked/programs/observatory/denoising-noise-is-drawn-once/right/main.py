import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

SIGMA = 0.5


def forward(x):
    mlp = hk.Sequential([hk.Linear(128), jax.nn.relu, hk.Linear(128), jax.nn.relu, hk.Linear(x.shape[-1])])
    return x + mlp(x)


net = hk.without_apply_rng(hk.transform(forward))
tx = optax.adam(2e-3)


def light_curves(n, seed):
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 1, 32)
    period, phase = rng.uniform(0.3, 1.0, (n, 1)), rng.uniform(0, 1, (n, 1))
    return np.sin(2 * np.pi * (t / period + phase)).astype(np.float32)


def corrupt(key, x):
    return x + SIGMA * jax.random.normal(key, x.shape)


def denoising_loss(params, clean, noisy):
    return jnp.mean((net.apply(params, noisy) - clean) ** 2)


@jax.jit
def train_step(params, opt_state, clean, key):
    loss, grads = jax.value_and_grad(denoising_loss)(params, clean, corrupt(key, clean))
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    init_key, train_key, noise_key = jax.random.split(jax.random.key(0), 3)
    data = light_curves(64, seed=1)
    params = net.init(init_key, data[:1])
    opt_state = tx.init(params)
    for key in jax.random.split(train_key, 400):
        params, opt_state, loss = train_step(params, opt_state, data, key)
    test = light_curves(256, seed=2)
    noisy = test + SIGMA * np.asarray(jax.random.normal(noise_key, test.shape))
    print(f"last training loss {loss:.4f}")
    print(f"test loss {denoising_loss(params, test, noisy):.4f}, without denoising {SIGMA**2:.4f}")


main()
