import jax
import jax.numpy as jnp
import optax
from flax import nnx

from bandit import ContextualBandit
from policy import Policy, reinforce_loss

env = ContextualBandit(4)


@nnx.jit
def improve(policy, optimizer, key):
    observe_key, act_key = jax.random.split(key)
    observations = env.observe(observe_key, 256)
    actions = jax.random.categorical(act_key, policy(observations))
    rewards = env.reward(observations, actions)
    grads = nnx.grad(reinforce_loss)(policy, observations, actions, rewards)
    optimizer.update(policy, grads)
    return jnp.mean(rewards)


@nnx.jit
def greedy_accuracy(policy, observations):
    return jnp.mean(jnp.argmax(policy(observations), axis=-1) == env.best(observations))


def main():
    policy = Policy(2, env.num_actions, nnx.Rngs(0))
    optimizer = nnx.Optimizer(policy, optax.adam(1e-2), wrt=nnx.Param)
    loop_key, test_key = jax.random.split(jax.random.key(1))
    for step, key in enumerate(jax.random.split(loop_key, 200)):
        reward = improve(policy, optimizer, key)
        if step % 50 == 0:
            print(step, reward)
    print("greedy accuracy", greedy_accuracy(policy, env.observe(test_key, 1000)))


if __name__ == "__main__":
    main()
