from sharding import DataParallel

import jax
import jax.numpy as jnp
import numpy as np

from data import eval_batches, make_dataset


def init(key, dim, hidden, classes):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (dim, hidden)) / jnp.sqrt(dim),
        "w2": jax.random.normal(k2, (hidden, classes)) / jnp.sqrt(hidden),
    }


def nll(params, batch):
    logits = jax.nn.relu(batch["x"] @ params["w1"]) @ params["w2"]
    logp = jax.nn.log_softmax(logits)
    picked = jnp.take_along_axis(logp, batch["y"][:, None], axis=1)[:, 0]
    hits = logits.argmax(-1) == batch["y"]
    w = batch["weight"]
    return -(w * picked).sum(), (w * hits).sum(), w.sum()


@jax.jit
def train_step(params, batch):
    def mean_loss(p):
        total, _, count = nll(p, batch)
        return total / count

    grads = jax.grad(mean_loss)(params)
    return jax.tree.map(lambda p, g: p - 0.2 * g, params, grads)


eval_step = jax.jit(nll)


def main():
    rng = np.random.default_rng(0)
    x, y = make_dataset(rng, 1062, dim=12, classes=5)
    dp = DataParallel()
    params = dp.replicate(init(jax.random.key(0), 12, 32, 5))
    for _ in range(40):
        idx = rng.choice(768, 128, replace=False)
        batch = {"x": x[idx], "y": y[idx], "weight": np.ones(128, np.float32)}
        params = train_step(params, dp.shard_batch(batch))
    totals = np.zeros(3)
    for batch in eval_batches(x[768:], y[768:], 128):
        totals += np.array([float(v) for v in eval_step(params, dp.shard_batch(batch))])
    print(f"rows {int(totals[2])} nll {totals[0] / totals[2]:.3f} acc {totals[1] / totals[2]:.3f}")


if __name__ == "__main__":
    main()
