import jax
import jax.numpy as jnp
import numpy as np
import optax

from evaluate import make_report
from network import make_network


def houses(rng, rows):
    x = np.column_stack(
        [rng.uniform(30, 200, rows), rng.integers(1, 7, rows), rng.uniform(0, 80, rows)]
    ).astype(np.float32)
    price = 2.1 * x[:, 0] + 15 * x[:, 1] - 0.9 * x[:, 2] + rng.normal(0, 12, rows)
    return x, price.astype(np.float32)


def main():
    rng = np.random.default_rng(1)
    x, price = houses(rng, 2048)
    test_x, test_price = houses(rng, 512)
    stats = {"mean": x.mean(axis=0), "std": x.std(axis=0)}
    centre, spread = price.mean(), price.std()
    y, test_y = (price - centre) / spread, (test_price - centre) / spread

    network = make_network(width=32, depth=2)
    optimizer = optax.adam(2e-3)
    params = network.init(jax.random.key(0), x[:1], **stats)
    opt_state = optimizer.init(params)

    def loss_fn(params, x, y):
        return jnp.mean(optax.huber_loss(network.apply(params, x, **stats), y))

    @jax.jit
    def update(params, opt_state, x, y):
        grads = jax.grad(loss_fn)(params, x, y)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state

    report = make_report(network, stats, spread)
    for epoch in range(4):
        for rows in rng.permutation(len(x)).reshape(-1, 128):
            params, opt_state = update(params, opt_state, x[rows], y[rows])
        print(f"epoch {epoch}: {report(params, test_x, test_y)}")


if __name__ == "__main__":
    main()
