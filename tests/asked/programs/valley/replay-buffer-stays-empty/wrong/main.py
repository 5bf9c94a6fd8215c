import jax
import jax.numpy as jnp

from bandit import BanditEnv
from buffer import add, create, sample


def collect(env, buffer, key, num):
    for k in jax.random.split(key, num):
        ctx_key, act_key, reward_key = jax.random.split(k, 3)
        context = env.context(ctx_key)
        action = jax.random.randint(act_key, (), 0, env.num_actions)
        reward = env.pull(reward_key, context, action)
        buffer = add(buffer, context, action, reward)
    return buffer


def main():
    env = BanditEnv(dim=3, num_actions=4)
    collect_key, sample_key = jax.random.split(jax.random.PRNGKey(0))
    buffer = create(capacity=128, dim=3)
    buffer = collect(env, buffer, collect_key, 60)
    contexts, actions, rewards = sample(buffer, sample_key, 32)
    print("stored", int(buffer.size))
    print("context spread", jnp.round(contexts.std(axis=0), 3))
    print("mean reward", jnp.round(rewards.mean(), 3))
    print("actions seen", sorted(set(actions.tolist())))


if __name__ == "__main__":
    main()
