import jax
import jax.numpy as jnp
import numpy as np
import optax

from annealing import kl_weight

tx = optax.adam(5e-2)


def init_guide(dim):
    return {"loc": jnp.zeros(dim), "log_scale": jnp.full(dim, -1.0, jnp.float32)}


def log_likelihood(weights, x, y):
    logits = x @ weights
    return (y * jax.nn.log_sigmoid(logits) + (1 - y) * jax.nn.log_sigmoid(-logits)).sum()


def negative_elbo(guide, key, x, y, beta, n_samples=8):
    scale = jnp.exp(guide["log_scale"])
    eps = jax.random.normal(key, (n_samples, scale.shape[0]))
    weights = guide["loc"] + scale * eps
    ll = jax.vmap(log_likelihood, in_axes=(0, None, None))(weights, x, y).mean()
    kl = 0.5 * (scale**2 + guide["loc"] ** 2 - 1.0 - 2 * guide["log_scale"]).sum()
    return beta * kl - ll


@jax.jit
def svi_step(guide, opt_state, key, x, y, step):
    beta = kl_weight(step)
    loss, grads = jax.value_and_grad(negative_elbo)(guide, key, x, y, beta)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(guide, updates), opt_state, loss


def main():
    rng = np.random.default_rng(0)
    true = np.array([1.5, -2.0, 0.0, 0.7], np.float32)
    x = rng.normal(size=(300, 4)).astype(np.float32)
    y = (rng.random(300) < 1 / (1 + np.exp(-x @ true))).astype(np.float32)
    guide = init_guide(4)
    opt_state = tx.init(guide)
    key = jax.random.key(0)
    for step in range(9):
        key, sub = jax.random.split(key)
        guide, opt_state, loss = svi_step(guide, opt_state, sub, x, y, step=step)
    print("loss", round(float(loss), 2))
    print("posterior mean", np.round(np.asarray(guide["loc"]), 2))
    print("compiled", svi_step._cache_size(), "times")


if __name__ == "__main__":
    main()
