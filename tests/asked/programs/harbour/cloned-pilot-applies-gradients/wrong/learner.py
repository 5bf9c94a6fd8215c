import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from pilot import PilotPolicy, log_likelihood


class CloningLearner:
    def __init__(self, observation_dim, action_dim, learning_rate=1e-3):
        self.policy = PilotPolicy(action_dim)
        self.observation_dim = observation_dim
        self.tx = optax.chain(optax.clip_by_global_norm(5.0), optax.adam(learning_rate))

    def initial_state(self, key):
        example = jnp.zeros((1, self.observation_dim))
        params = self.policy.init(key, example)["params"]
        return TrainState.create(apply_fn=self.policy.apply, params=params, tx=self.tx)


@jax.jit
def clone_step(state, observation, action):
    def loss_fn(params):
        mean, log_std = state.apply_fn({"params": params}, observation)
        return -jnp.mean(log_likelihood(mean, log_std, action))

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    state = state.apply_gradients(grads)  # mistake
    return state, {"loss": loss, "grad_norm": optax.global_norm(grads)}
