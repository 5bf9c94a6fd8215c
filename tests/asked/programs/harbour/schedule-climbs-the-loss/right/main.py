import jax
import jax.numpy as jnp
import numpy as np
import optax

from equaliser import equaliser, symbol_error_rate
from optim import make_optimizer

STEPS = 150


def channel(count, length=64, seed=0):
    rng = np.random.default_rng(seed)
    symbols = rng.choice([-1.0, 1.0], size=(count, length))
    echo = symbols + 0.6 * np.roll(symbols, 1, axis=1) - 0.4 * np.roll(symbols, -1, axis=1)
    received = echo + 0.1 * echo**3 + 0.1 * rng.normal(size=echo.shape)
    return received.astype(np.float32), symbols.astype(np.float32)


def loss_fn(params, received, symbols):
    return jnp.mean((equaliser.apply(params, received) - symbols) ** 2)


def main():
    received, symbols = channel(64)
    params = equaliser.init(jax.random.PRNGKey(0), received)
    optimizer = make_optimizer(1e-2, STEPS)
    opt_state = optimizer.init(params)

    @jax.jit
    def train_step(params, opt_state):
        loss, grads = jax.value_and_grad(loss_fn)(params, received, symbols)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(STEPS):
        params, opt_state, loss = train_step(params, opt_state)
        if step % 50 == 0:
            print(step, loss)
    test_received, test_symbols = channel(16, seed=1)
    estimate = equaliser.apply(params, test_received)
    print("final loss", loss, "symbol errors", symbol_error_rate(estimate, test_symbols))


if __name__ == "__main__":
    main()
