import jax
import jax.numpy as jnp
import numpy as np

from rules import BusinessRules


class ItemKNN:
    def __init__(self, interactions, shrink=5.0):
        co = interactions.T @ interactions
        degree = jnp.diag(co)
        sim = co / (jnp.sqrt(jnp.outer(degree, degree)) + shrink)
        self.similarity = sim * (1.0 - jnp.eye(sim.shape[0]))

    def scores(self, interactions):
        raw = interactions @ self.similarity
        return jnp.where(interactions > 0, -jnp.inf, raw)


def purchase_matrix(n_users, n_products, seed=0):
    rng = np.random.default_rng(seed)
    taste = rng.dirichlet(np.full(n_products, 0.2), size=n_users)
    return jnp.asarray(rng.uniform(size=taste.shape) < 6 * taste, jnp.float32)


def main():
    matrix = purchase_matrix(80, 25)
    model = ItemKNN(matrix)
    rules = BusinessRules(out_of_stock=[3, 8, 11, 14, 20], boosted={5: 0.1})
    scores = rules.apply(model.scores(matrix))
    _, top = jax.lax.top_k(scores, 3)
    shown = np.bincount(np.asarray(top).ravel(), minlength=25)
    print("times shown", shown.tolist())
    print("out of stock shown", int(shown[rules.out_of_stock].sum()))


if __name__ == "__main__":
    main()
