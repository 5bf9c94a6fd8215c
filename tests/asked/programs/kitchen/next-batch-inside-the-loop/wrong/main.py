import jax
import numpy as np
import optax

from loader import TableLoader
from regression import init, loss_fn


def energy_table(rng, rows):
    x = rng.normal(size=(rows, 8)).astype(np.float32)
    y = np.tanh(x[:, 0]) + 0.5 * x[:, 1] - 0.3 * x[:, 2] * x[:, 3]
    return x, y.astype(np.float32)


def make_epoch(optimizer, loader):
    @jax.jit
    def run_epoch(params, opt_state):
        batches = iter(loader)

        def body(i, carry):
            params, opt_state = carry
            x, y = next(batches)  # mistake
            grads = jax.grad(loss_fn)(params, x, y)
            updates, opt_state = optimizer.update(grads, opt_state)
            return optax.apply_updates(params, updates), opt_state

        return jax.lax.fori_loop(0, len(loader), body, (params, opt_state))

    return run_epoch


def main():
    rng = np.random.default_rng(17)
    loader = TableLoader(*energy_table(rng, 2048), batch_size=32)
    test_x, test_y = energy_table(rng, 1024)
    params = init(jax.random.key(2), 8, 64)
    optimizer = optax.adam(3e-3)
    opt_state = optimizer.init(params)
    run_epoch = make_epoch(optimizer, loader)
    evaluate = jax.jit(loss_fn)
    for epoch in range(10):
        params, opt_state = run_epoch(params, opt_state)
        if epoch % 3 == 0:
            print(f"epoch {epoch}: test mse {evaluate(params, test_x, test_y):.4f}")
    print("batches served", loader.served)


if __name__ == "__main__":
    main()
