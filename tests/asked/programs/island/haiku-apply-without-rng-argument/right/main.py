import jax
import numpy as np
import optax

from agent import ReinforceAgent
from bandit import ContextualBandit


def main():
    env = ContextualBandit(num_contexts=6, num_arms=4, seed=2)
    agent = ReinforceAgent(env.num_contexts, env.num_arms, optax.adam(3e-2))
    key, init_key = jax.random.split(jax.random.PRNGKey(0))
    state = agent.init(init_key)
    history = []
    for i in range(150):
        key, act_key = jax.random.split(key)
        obs = env.observe(batch_size=32)
        actions = np.asarray(agent.act(state.params, obs, act_key))
        rewards = env.reward(obs, actions)
        state = agent.learn(state, obs, actions, rewards)
        history.append(rewards.mean())
    print("first", round(float(np.mean(history[:20])), 3), "last", round(float(np.mean(history[-20:])), 3))


if __name__ == "__main__":
    main()
