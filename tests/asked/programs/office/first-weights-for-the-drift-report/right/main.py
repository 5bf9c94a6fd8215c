import jax
import jax.numpy as jnp
import numpy as np

from step import init_params, train_step, tx


def loan_applications(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 10)).astype(np.float32)
    default = x[:, 0] + 0.5 * x[:, 3] * x[:, 4] + 0.3 * rng.normal(size=n) > 0.8
    return x, default.astype(np.float32)


def drift_report(before, after):
    change = jax.tree.map(lambda a, b: jnp.linalg.norm(b - a) / jnp.maximum(1.0, jnp.linalg.norm(a)), before, after)
    for path, value in jax.tree_util.tree_leaves_with_path(jax.device_get(change)):
        print(f"{jax.tree_util.keystr(path):<24} {value:10.3f}")


def main():
    params = init_params(jax.random.key(1), features=10, hidden=24)
    initial = jax.tree.map(jnp.copy, params)
    opt_state = tx.init(params)
    for step in range(60):
        params, opt_state, loss = train_step(params, opt_state, *loan_applications(64, step))
    print(f"final loss {loss:.4f}")
    drift_report(initial, params)


if __name__ == "__main__":
    main()
