import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from chain import RandomWalk


class ValueFunction(eqx.Module):
    linear: eqx.nn.Linear

    def __init__(self, n_features, *, key):
        self.linear = eqx.nn.Linear(n_features, "scalar", key=key)

    def __call__(self, obs):
        return self.linear(obs)


def td_loss(value_fn, batch):
    v = jax.vmap(value_fn)(batch["obs"])
    v_next = jax.vmap(value_fn)(batch["next_obs"])
    target = batch["reward"] + batch["discount"] * v_next  # mistake
    return 0.5 * jnp.mean((target - v) ** 2)


opt = optax.adam(optax.linear_schedule(2e-2, 1e-3, 2000))


@eqx.filter_jit
def update(value_fn, opt_state, batch):
    loss, grads = eqx.filter_value_and_grad(td_loss)(value_fn, batch)
    updates, opt_state = opt.update(grads, opt_state)
    return eqx.apply_updates(value_fn, updates), opt_state, loss


def main():
    env = RandomWalk(n_states=7, seed=0)
    value_fn = ValueFunction(env.n, key=jax.random.key(0))
    opt_state = opt.init(eqx.filter(value_fn, eqx.is_array))
    for _ in range(2000):
        value_fn, opt_state, loss = update(value_fn, opt_state, env.transitions(128))
    learned = np.asarray(jax.vmap(value_fn)(env.features(np.arange(env.n))))
    exact = env.true_values()
    print("loss", round(float(loss), 4))
    print("learned", np.round(learned, 2))
    print("exact  ", np.round(exact, 2))
    print("max error", round(float(np.abs(learned - exact).max()), 3))


if __name__ == "__main__":
    main()
