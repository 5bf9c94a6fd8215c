import jax
import jax.numpy as jnp
import numpy as np

from spectral import fiedler_vector, laplacian_matrix


def two_communities(n_per_side=30, p_in=0.4, p_out=0.03, seed=8):
    rng = np.random.default_rng(seed)
    labels = np.repeat([0, 1], n_per_side)
    probs = np.where(labels[:, None] == labels[None, :], p_in, p_out)
    upper = np.triu(rng.uniform(size=probs.shape) < probs, k=1)
    adjacency = (upper | upper.T).astype(np.float32)
    return jnp.asarray(adjacency), labels


def agreement(vec, labels):
    guess = np.asarray(vec) > 0
    acc = np.mean(guess == labels)
    return max(acc, 1 - acc)


def main(config):
    adjacency, labels = two_communities()
    lap = laplacian_matrix(adjacency)
    start = jax.random.normal(jax.random.key(config["seed"]), (lap.shape[0],))
    vec, value = fiedler_vector(lap, start, config["num_iters"])
    print("algebraic connectivity", round(float(value), 3))
    print("community agreement", agreement(vec, labels))


if __name__ == "__main__":
    main({"seed": 0, "num_iters": 400})
