import jax
import jax.numpy as jnp

import posterior as post

DIM, N_ARMS, ROUNDS = 5, 8, 150


@jax.jit
def choose(belief, arms, key):
    theta = belief.sample(key)
    return jnp.argmax(arms @ theta)


@jax.jit
def learn(belief, x, reward):
    return belief.observe(x, reward)


def play(key, theta_true, rounds):
    belief = post.prior(DIM)
    regrets = []
    for k in jax.random.split(key, rounds):
        k_arms, k_theta, k_noise = jax.random.split(k, 3)
        arms = jax.random.normal(k_arms, (N_ARMS, DIM))
        arm = choose(belief, arms, k_theta)  # mistake
        means = arms @ theta_true
        reward = means[arm] + 0.5 * jax.random.normal(k_noise)
        belief = learn(belief, arms[arm], reward)
        regrets.append(means.max() - means[arm])
    return belief, jnp.stack(regrets)


def main():
    k_theta, k_play = jax.random.split(jax.random.key(9))
    theta_true = jax.random.normal(k_theta, (DIM,))
    belief, regrets = play(k_play, theta_true, ROUNDS)
    print(f"regret first 30: {regrets[:30].mean():.3f}, last 30: {regrets[-30:].mean():.3f}")
    print(f"error of the mean {jnp.linalg.norm(belief.mean - theta_true):.3f}")


if __name__ == "__main__":
    main()
