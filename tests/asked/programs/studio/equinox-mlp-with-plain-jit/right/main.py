import equinox as eqx
import jax
import numpy as np
import optax

from flow import Flow

opt = optax.adam(2e-3)


def nll(model, x):
    return -jax.vmap(model.log_prob)(x).mean()


@eqx.filter_jit
def make_step(model, opt_state, x):
    loss, grads = eqx.filter_value_and_grad(nll)(model, x)
    updates, opt_state = opt.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss


def two_moons(rng, n):
    t = rng.uniform(0, np.pi, n)
    side = rng.integers(0, 2, n)
    x = np.where(side, np.cos(t), 1 - np.cos(t))
    y = np.where(side, np.sin(t), 0.5 - np.sin(t))
    return (np.stack([x, y], 1) + 0.05 * rng.normal(size=(n, 2))).astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    model = Flow(4, 24, key=jax.random.key(0))
    opt_state = opt.init(eqx.filter(model, eqx.is_inexact_array))
    for step in range(121):
        model, opt_state, loss = make_step(model, opt_state, two_moons(rng, 128))
        if step % 40 == 0:
            print(f"step {step} nll {loss:.4f}")


if __name__ == "__main__":
    main()
