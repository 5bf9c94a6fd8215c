import jax
import jax.numpy as jnp
import numpy as np
import optax

from forecaster import SeriesTransformer
from optim import OptimConfig, largest_second_moment, make_optimizer


def sine_batch(rng, size=64, length=16):
    phase = rng.uniform(0, 2 * np.pi, size=(size, 1))
    series = np.sin(phase + 0.4 * np.arange(length + 1)).astype(np.float32)
    return series[:, :-1], series[:, -1]


def main():
    config = OptimConfig()
    model = SeriesTransformer()
    optimizer = make_optimizer(config)
    rng = np.random.default_rng(0)
    series, _ = sine_batch(rng)
    params = jax.jit(model.init)(jax.random.key(0), series)
    opt_state = optimizer.init(params)

    @jax.jit
    def train_step(params, opt_state, series, target):
        def loss_fn(params):
            return jnp.mean((model.apply(params, series) - target) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    for step in range(config.total):
        series, target = sine_batch(rng)
        if step == 60:
            target = 1000.0 * target
        params, opt_state, loss = train_step(params, opt_state, series, target)
        if step % 40 == 0:
            print(step, loss)
    print("final loss", loss)
    print("largest second moment", largest_second_moment(opt_state))


if __name__ == "__main__":
    main()
