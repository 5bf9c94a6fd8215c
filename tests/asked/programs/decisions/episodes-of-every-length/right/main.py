import jax
import jax.numpy as jnp
import numpy as np

from episodes import play


def reward_to_go(rewards, gamma):
    def step(acc, r):
        acc = r + gamma * acc
        return acc, acc

    return jax.lax.scan(step, 0.0, rewards, reverse=True)[1]


@jax.jit
def update(weights, obs, actions, rewards, mask, lr):
    returns = reward_to_go(rewards * mask, 0.95)

    def loss_fn(w):
        logits = obs @ w
        logp = jnp.where(actions == 1, jax.nn.log_sigmoid(logits), jax.nn.log_sigmoid(-logits))
        return -jnp.sum(logp * returns * mask) / mask.sum()

    return weights - lr * jax.grad(loss_fn)(weights)


def main():
    rng = np.random.default_rng(0)
    weights = jnp.zeros(3)
    lengths = []
    for episode_index in range(12):
        episode = play(rng, np.asarray(weights))
        lengths.append(len(episode.rewards))
        lr = 0.02 / (1 + 0.1 * episode_index)
        weights = update(weights, *episode.stack(), lr)
    print("mean length", np.mean(lengths))
    print("compilations", update._cache_size())


if __name__ == "__main__":
    main()
