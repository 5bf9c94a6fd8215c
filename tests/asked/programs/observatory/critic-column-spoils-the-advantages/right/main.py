import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from policy import ActorCritic
from ppo import ppo_loss

N_ACTIONS, OBS = 4, 6


def contextual_reward(obs, action):
    return (jnp.argmax(obs[:, :N_ACTIONS], axis=-1) == action).astype(jnp.float32) + 3.0 * obs[:, 5]


@jax.jit
def collect(state, key):
    k_obs, k_act = jax.random.split(key)
    obs = jax.random.normal(k_obs, (256, OBS))
    logits, _ = state.apply_fn({"params": state.params}, obs)
    action = jax.random.categorical(k_act, logits)
    logp = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], axis=1)[:, 0]
    return {"obs": obs, "action": action, "logp": logp, "return": contextual_reward(obs, action)}


@jax.jit
def improve(state, batch):
    def epoch(state, _):
        grads = jax.grad(ppo_loss)(state.params, state.apply_fn, batch)
        return state.apply_gradients(grads=grads), None

    return jax.lax.scan(epoch, state, None, length=4)[0]


def main():
    model = ActorCritic(N_ACTIONS)
    init_key, run_key = jax.random.split(jax.random.key(0))
    params = model.init(init_key, jnp.zeros((1, OBS)))["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(5e-3))
    hit_rates = []
    for key in jax.random.split(run_key, 40):
        batch = collect(state, key)
        hit_rates.append(jnp.mean(batch["return"] - 3.0 * batch["obs"][:, 5]))
        state = improve(state, batch)
    hit_rates = jax.device_get(hit_rates)
    print("hit rate first %.3f, last %.3f" % (hit_rates[0], hit_rates[-1]))


if __name__ == "__main__":
    main()
