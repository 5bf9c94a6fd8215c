import jax
import jax.numpy as jnp


class Bandit:
    """Machines that pay with unknown probabilities, tried by upper confidence bounds."""

    def __init__(self, n_arms):
        self.visits = jnp.zeros(n_arms)
        self.earned = jnp.zeros(n_arms)

    def choose(self, trial):
        mean = self.earned / jnp.maximum(self.visits, 1.0)
        bonus = jnp.sqrt(2.0 * jnp.log(trial + 1.0) / jnp.maximum(self.visits, 1.0))
        bound = jnp.where(self.visits > 0.0, mean + bonus, jnp.inf)
        return int(jnp.argmax(bound))

    def record(self, arm, payment):
        self.visits = self.visits.at[arm].add(1.0)
        self.earned = self.earned.at[arm].add(payment)


def play(key, bandit, chances, n_trials):
    total = 0.0
    for trial in range(n_trials):
        arm = bandit.choose(trial)
        paid = jax.random.bernoulli(jax.random.fold_in(key, trial), chances[arm])
        bandit.record(arm, paid.astype(jnp.float32))
        total += float(paid)
    return total


def main():
    chances = jnp.array([0.2, 0.5, 0.75, 0.4])
    bandit = Bandit(chances.shape[0])
    total = play(jax.random.key(19), bandit, chances, n_trials=200)
    print("earned", total)
    print("visits", [int(visits) for visits in bandit.visits.tolist()])
    print("best machine", int(jnp.argmax(bandit.visits)))


if __name__ == "__main__":
    main()
