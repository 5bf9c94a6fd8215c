"""Thompson sampling on a Gaussian bandit."""
import jax
import jax.numpy as jnp

from rng import KeySequence


class ThompsonBandit:
    def __init__(self, num_arms: int, seed: int):
        self.rng = KeySequence(seed)
        self.num_arms = num_arms
        self.total = jnp.zeros(num_arms)
        self.count = jnp.zeros(num_arms)
        self._choose = jax.jit(self._sample_arm)

    def _posterior(self, total, count):
        precision = 1.0 + count
        return total / precision, 1.0 / jnp.sqrt(precision)

    def _sample_arm(self, key, total, count):
        mean, std = self._posterior(total, count)
        draw = mean + std * jax.random.normal(key, (self.num_arms,))
        return jnp.argmax(draw)

    def choose(self) -> int:
        return int(self._choose(self.rng.next(), self.total, self.count))

    def observe(self, arm: int, reward) -> None:
        self.total = self.total.at[arm].add(reward)
        self.count = self.count.at[arm].add(1.0)


def main():
    true_means = jnp.array([0.1, 0.9, 0.4])
    bandit = ThompsonBandit(3, seed=0)
    (env_key,) = bandit.rng.take(1)
    for t in range(40):
        arm = bandit.choose()
        noise = jax.random.normal(jax.random.fold_in(env_key, t))
        bandit.observe(arm, true_means[arm] + 0.5 * noise)
    extra = jax.random.normal(bandit.rng.next(), (2,))
    print("pulls", bandit.count.astype(int).tolist())
    print("extra noise has shape", extra.shape)


if __name__ == "__main__":
    main()
