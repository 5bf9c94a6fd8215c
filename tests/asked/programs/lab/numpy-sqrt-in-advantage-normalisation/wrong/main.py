import jax
import jax.numpy as jnp
import numpy as np
import optax

from gae import discounted_returns, normalise

N_ARMS, CONTEXT = 4, 5


def init_policy(key):
    return {"w": 0.01 * jax.random.normal(key, (CONTEXT, N_ARMS)), "b": jnp.zeros(N_ARMS)}


def logits_fn(params, obs):
    return obs @ params["w"] + params["b"]


def pg_loss(params, obs, actions, returns):
    logp = jax.nn.log_softmax(logits_fn(params, obs))
    chosen = jnp.take_along_axis(logp, actions[:, None], axis=1)[:, 0]
    adv = normalise(returns)
    entropy = -(jnp.exp(logp) * logp).sum(-1).mean()
    return -(chosen * adv).mean() - 0.01 * entropy


tx = optax.adam(0.05)


@jax.jit
def update(params, opt_state, obs, actions, returns):
    loss, grads = jax.value_and_grad(pg_loss)(params, obs, actions, returns)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


@jax.jit
def act(params, key, obs):
    return jax.random.categorical(key, logits_fn(params, obs))


def main():
    rng = np.random.default_rng(0)
    target = rng.normal(size=(CONTEXT, N_ARMS))
    key, init_key = jax.random.split(jax.random.key(0))
    params = init_policy(init_key)
    opt_state = tx.init(params)
    for it in range(40):
        key, act_key = jax.random.split(key)
        obs = rng.normal(size=(128, CONTEXT)).astype(np.float32)
        actions = np.asarray(act(params, act_key, obs))
        rewards = (actions == (obs @ target).argmax(1)).astype(np.float32)
        returns = discounted_returns(rewards, gamma=0.0)
        params, opt_state, loss = update(params, opt_state, obs, actions, returns)
        if it % 13 == 0:
            print(f"iter {it} reward {rewards.mean():.3f} loss {loss:.3f}")


if __name__ == "__main__":
    main()
