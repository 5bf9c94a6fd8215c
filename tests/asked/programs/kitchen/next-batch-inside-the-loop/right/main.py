import jax
import numpy as np
import optax

from loader import TableLoader
from regression import init, loss_fn


def energy_table(rng, rows):
    x = rng.normal(size=(rows, 8)).astype(np.float32)
    y = np.tanh(x[:, 0]) + 0.5 * x[:, 1] - 0.3 * x[:, 2] * x[:, 3]
    return x, y.astype(np.float32)


def make_epoch(optimizer):
    @jax.jit
    def run_epoch(params, opt_state, xs, ys):
        def body(carry, batch):
            params, opt_state = carry
            x, y = batch
            grads = jax.grad(loss_fn)(params, x, y)
            updates, opt_state = optimizer.update(grads, opt_state)
            return (optax.apply_updates(params, updates), opt_state), None

        carry, _ = jax.lax.scan(body, (params, opt_state), (xs, ys))
        return carry

    return run_epoch


def main():
    rng = np.random.default_rng(17)
    loader = TableLoader(*energy_table(rng, 2048), batch_size=32)
    test_x, test_y = energy_table(rng, 1024)
    params = init(jax.random.key(2), 8, 64)
    optimizer = optax.adam(3e-3)
    opt_state = optimizer.init(params)
    run_epoch = make_epoch(optimizer)
    evaluate = jax.jit(loss_fn)
    for epoch in range(10):
        xs, ys = map(np.stack, zip(*loader))
        params, opt_state = run_epoch(params, opt_state, xs, ys)
        if epoch % 3 == 0:
            print(f"epoch {epoch}: test mse {evaluate(params, test_x, test_y):.4f}")
    print("batches served", loader.served)


if __name__ == "__main__":
    main()
