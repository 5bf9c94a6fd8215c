import numpy as np

from agent import LinUCBAgent, SoftmaxAgent

ACTIONS, FEATURES, ROUNDS = 4, 6, 250


def play(agent, seed):
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=(ACTIONS, FEATURES))
    regret = 0.0
    for _ in range(ROUNDS):
        context = rng.normal(size=FEATURES).astype(np.float32)
        means = theta @ context
        action = agent.select(context)
        agent.observe(context, action, float(means[action] + 0.1 * rng.normal()))
        regret += means.max() - means[action]
    return regret / ROUNDS


def main():
    for cls in (LinUCBAgent, SoftmaxAgent):
        agent = cls(ACTIONS, FEATURES)
        print(f"{cls.__name__}: mean regret {play(agent, seed=1):.3f}")


if __name__ == "__main__":
    main()
