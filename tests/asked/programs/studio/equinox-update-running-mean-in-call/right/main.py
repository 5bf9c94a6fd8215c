import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from normalizer import ObsNormalizer


class Critic(eqx.Module):
    net: eqx.nn.MLP

    def __init__(self, obs_dim, *, key):
        self.net = eqx.nn.MLP(obs_dim, "scalar", 32, 2, activation=jnp.tanh, key=key)

    def __call__(self, obs):
        return self.net(obs)


opt = optax.adam(3e-3)


def value_loss(critic, obs, returns):
    return jnp.mean((jax.vmap(critic)(obs) - returns) ** 2)


@eqx.filter_jit
def update(critic, opt_state, normalizer, obs, returns):
    normalizer = normalizer.update(obs)
    loss, grads = eqx.filter_value_and_grad(value_loss)(critic, normalizer(obs), returns)
    updates, opt_state = opt.update(grads, opt_state)
    return eqx.apply_updates(critic, updates), opt_state, normalizer, loss


def main():
    rng = np.random.default_rng(0)
    scale = np.array([1.0, 50.0, 0.1, 10.0])
    critic = Critic(4, key=jax.random.key(0))
    normalizer = ObsNormalizer(4)
    opt_state = opt.init(eqx.filter(critic, eqx.is_inexact_array))
    for it in range(91):
        raw = rng.normal(size=(128, 4))
        obs = (raw * scale + 2.0).astype(np.float32)
        returns = (raw[:, 0] - raw[:, 1]).astype(np.float32)
        critic, opt_state, normalizer, loss = update(critic, opt_state, normalizer, obs, returns)
        if it % 30 == 0:
            print(f"iter {it} value loss {loss:.4f}")
    print("mean", np.round(np.asarray(normalizer.running_mean), 2))


if __name__ == "__main__":
    main()
