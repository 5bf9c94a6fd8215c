"""Compare returns of random episodes."""
import jax
import jax.numpy as jnp

from returns import episode_return


@jax.jit
def evaluate(key):
    k_rewards, k_dones = jax.random.split(key)
    rewards = jax.random.uniform(k_rewards, (30,))
    dones = jax.random.bernoulli(k_dones, 0.1, (30,)).at[-1].set(True)
    return episode_return(rewards, dones.astype(jnp.int32))


def main():
    values = [float(evaluate(key)) for key in jax.random.split(jax.random.key(0), 4)]
    print("positive", all(value > 0 for value in values), "bounded", max(values) < 34)


if __name__ == "__main__":
    main()
