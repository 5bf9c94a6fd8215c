import jax
import jax.numpy as jnp
import optax

from metrics import MetricLogger


class ActorCritic:
    def __init__(self, obs_dim, num_actions, lr=3e-2, entropy_coef=0.01):
        self.optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.sgd(lr))
        self.entropy_coef = float(entropy_coef)
        self.logger = MetricLogger()
        self.params = {
            "actor": jnp.zeros((obs_dim, num_actions)),
            "critic": jnp.zeros(obs_dim),
        }
        self.opt_state = self.optimizer.init(self.params)
        self._update = jax.jit(self._train_step)

    def _loss(self, params, batch):
        obs, actions, returns = batch
        logp = jax.nn.log_softmax(obs @ params["actor"])
        chosen = jnp.take_along_axis(logp, actions[:, None], axis=1)[:, 0]
        value = obs @ params["critic"]
        advantage = jax.lax.stop_gradient(returns - value)
        policy_loss = -jnp.mean(chosen * advantage)
        value_loss = jnp.mean((returns - value) ** 2)
        entropy = -jnp.mean(jnp.sum(jnp.exp(logp) * logp, axis=1))
        total = policy_loss + 0.5 * value_loss - self.entropy_coef * entropy
        return total, {"policy": policy_loss, "value": value_loss, "entropy": entropy}

    def _train_step(self, params, opt_state, batch):
        grads, metrics = jax.grad(self._loss, has_aux=True)(params, batch)
        updates, opt_state = self.optimizer.update(grads, opt_state, params)
        self.logger.record(grad_norm=optax.global_norm(grads), **metrics)  # mistake
        return optax.apply_updates(params, updates), opt_state

    def update(self, batch):
        self.params, self.opt_state = self._update(self.params, self.opt_state, batch)


def main():
    agent = ActorCritic(4, 3)
    for i in range(20):
        k_obs, k_act = jax.random.split(jax.random.key(i))
        obs = jax.random.normal(k_obs, (16, 4))
        actions = jax.random.randint(k_act, (16,), 0, 3)
        returns = jnp.where(actions == 0, 1.0, 0.0) + 0.1 * obs[:, 0]
        agent.update((obs, actions, returns))
    print(agent.logger.summary())


if __name__ == "__main__":
    main()
