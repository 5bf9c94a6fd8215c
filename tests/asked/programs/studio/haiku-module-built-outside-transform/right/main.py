import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from networks import DuelingQ, td_error

N_ACTIONS, OBS = 3, 5
q_net = hk.without_apply_rng(hk.transform(lambda obs: DuelingQ(N_ACTIONS)(obs)))
opt = optax.chain(optax.clip_by_global_norm(10.0), optax.adam(2e-3))


def loss_fn(params, target_params, batch):
    q = q_net.apply(params, batch["obs"])
    q_next = q_net.apply(params, batch["next_obs"])
    q_target = q_net.apply(target_params, batch["next_obs"])
    errors = jax.vmap(td_error)(
        q, q_next, q_target, batch["action"], batch["reward"], batch["discount"]
    )
    return optax.huber_loss(errors).mean()


@jax.jit
def update(params, target_params, opt_state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(params, target_params, batch)
    updates, opt_state = opt.update(grads, opt_state)
    params = optax.apply_updates(params, updates)
    target_params = optax.incremental_update(params, target_params, 0.05)
    return params, target_params, opt_state, loss


def sample(rng, n=64):
    obs = rng.normal(size=(n, OBS)).astype(np.float32)
    action = rng.integers(0, N_ACTIONS, size=n)
    return {
        "obs": obs,
        "action": action,
        "reward": np.where(obs[:, 0] > 0, action == 0, action == 2).astype(np.float32),
        "next_obs": rng.normal(size=(n, OBS)).astype(np.float32),
        "discount": np.full(n, 0.9, np.float32),
    }


def main():
    rng = np.random.default_rng(0)
    params = q_net.init(jax.random.key(0), jnp.zeros((1, OBS)))
    target_params = params
    opt_state = opt.init(params)
    for step in range(121):
        params, target_params, opt_state, loss = update(params, target_params, opt_state, sample(rng))
        if step % 40 == 0:
            print(f"step {step} td loss {loss:.4f}")


if __name__ == "__main__":
    main()
