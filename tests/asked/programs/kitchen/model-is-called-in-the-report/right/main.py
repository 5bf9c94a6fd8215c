import jax
import numpy as np
import optax

from fit import fit
from nets import TwoTower
from report import AucReport

USERS, ITEMS = 80, 50


def draw(rng, size):
    users = rng.integers(0, USERS, size)
    items = rng.integers(0, ITEMS, size)
    same = (users % 4) == (items % 4)
    liked = rng.uniform(size=size) < np.where(same, 0.85, 0.2)
    return users.astype(np.int32), items.astype(np.int32), liked.astype(np.float32)


def main():
    rng = np.random.default_rng(3)
    model = TwoTower(USERS, ITEMS)
    users, items, _ = draw(rng, 1)
    params = model.init(jax.random.key(0), users, items)["params"]
    batches = [draw(rng, 256) for _ in range(200)]
    params, loss = fit(model, params, optax.adam(1e-2), batches)
    print(f"last loss {loss:.3f}")
    report = AucReport(model, params)
    print(f"AUC {report.auc(*draw(rng, 2000)):.3f}")


if __name__ == "__main__":
    main()
