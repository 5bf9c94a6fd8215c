from functools import partial

import jax
import numpy as np

from towers import init_towers, recommend


def load_features(seed, n_users, n_items):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n_users, 24)).astype(np.float32), rng.normal(size=(n_items, 18)).astype(np.float32))


def coverage(item_ids, n_items):
    return len(np.unique(item_ids)) / n_items


def main(temperature: float = 0.1, k: int = 5):
    users, items = load_features(0, n_users=50, n_items=120)
    towers = init_towers(jax.random.key(1), 24, 18, 16)
    serve = jax.jit(partial(recommend, k=k))
    scores, ids = serve(users, towers, items, temperature)
    print("top items of user 0:", np.asarray(ids[0]))
    print("mean top score %.3f, catalogue coverage %.2f" % (scores[:, 0].mean(), coverage(np.asarray(ids), 120)))


if __name__ == "__main__":
    main()
