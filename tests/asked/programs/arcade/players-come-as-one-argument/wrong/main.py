"""Rate the players of a league from the results of their matches."""

import jax
import jax.numpy as jnp
import numpy as np


def expected(pair):
    """The chance of the first player to win."""
    first, second = pair
    return jax.nn.sigmoid(first["skill"] - second["skill"] + 0.1 * first["home"])


chances = jax.vmap(expected, in_axes=(0, 0))  # mistake


def pair_up(skills, matches):
    first = {"skill": skills[matches[:, 0]], "home": jnp.ones(len(matches))}
    second = {"skill": skills[matches[:, 1]], "home": jnp.zeros(len(matches))}
    return first, second


def loss(skills, matches, won):
    chance = chances(pair_up(skills, matches))  # mistake
    likelihood = jnp.where(won, jnp.log(chance), jnp.log1p(-chance))
    return -jnp.mean(likelihood) + 0.01 * jnp.mean(skills**2)


def season(rng, skills, n=800):
    matches = rng.integers(0, len(skills), (n, 2))
    gap = skills[matches[:, 0]] - skills[matches[:, 1]] + 0.1
    return matches, rng.random(n) < 1.0 / (1.0 + np.exp(-gap))


def main():
    truth = np.array([1.5, 0.5, 0.0, -0.5, -1.5], np.float32)
    matches, won = season(np.random.default_rng(4), truth)
    skills = jnp.zeros(5)
    slope = jax.jit(jax.grad(loss))
    for _ in range(300):
        skills = skills - 1.0 * slope(skills, matches, won)
    print("order of the players", np.argsort(-skills).tolist())


if __name__ == "__main__":
    main()
