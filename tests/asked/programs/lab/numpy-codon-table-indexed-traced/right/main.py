import jax
import jax.numpy as jnp
import numpy as np

from features import summary
from sequences import encode, random_genes


@jax.jit
def featurise(batch):
    return jax.vmap(summary)(batch)


@jax.jit
def ridge_fit(features, targets, lam=1e-2):
    design = jnp.concatenate([features, jnp.ones((features.shape[0], 1))], axis=1)
    gram = design.T @ design + lam * jnp.eye(design.shape[1])
    return jnp.linalg.solve(gram, design.T @ targets)


def main():
    rng = np.random.default_rng(0)
    genes = random_genes(rng, n=40, length=60)
    batch = np.stack([encode(g) for g in genes])
    features = featurise(batch)
    targets = np.asarray(features)[:, 0] * 2.0 + rng.normal(size=40) * 0.1
    weights = ridge_fit(features, targets.astype(np.float32))
    print("weights", np.round(np.asarray(weights), 2))


if __name__ == "__main__":
    main()
