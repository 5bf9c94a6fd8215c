import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

from calibration import ReliabilityDiagram


class Net(nn.Module):
    features: tuple[int, ...] = (32, 4)

    @nn.compact
    def __call__(self, x):
        for width in self.features[:-1]:
            x = nn.tanh(nn.Dense(width)(x))
        return nn.Dense(self.features[-1])(x)


model = Net()
tx = optax.adamw(2e-2, weight_decay=1e-4)


@jax.jit
def fit_step(params, opt_state, x, y):
    def loss_fn(p):
        return optax.softmax_cross_entropy_with_integer_labels(model.apply(p, x), y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


predict = jax.jit(model.apply)


@jax.jit
def nll_at_temperature(logits, labels, temperature):
    return optax.softmax_cross_entropy_with_integer_labels(logits / temperature, labels).mean()


def noisy_quadrants(seed, n):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2)).astype(np.float32)
    y = 2 * (x[:, 0] > 0) + (x[:, 1] > 0)
    flip = rng.random(n) < 0.25
    return x, np.where(flip, rng.integers(0, 4, n), y)


def main():
    x, y = noisy_quadrants(0, 160)
    x_val, y_val = noisy_quadrants(1, 400)
    params = jax.jit(model.init)(jax.random.key(0), x[:1])
    opt_state = tx.init(params)
    for _ in range(120):
        params, opt_state, loss = fit_step(params, opt_state, x, y)
    print(f"train loss {loss:.4f}")

    grid = jnp.linspace(0.5, 4.0, 15)
    logits = predict(params, x_val)
    best = grid[jnp.argmin(jax.vmap(nll_at_temperature, in_axes=(None, None, 0))(logits, y_val, grid))]
    diagram = ReliabilityDiagram(num_bins=8)
    for name, temperature in (("raw", 1.0), ("scaled", float(best))):
        diagram.reset()
        for i in range(0, 400, 100):
            diagram.add_batch(logits[i : i + 100] / temperature, y_val[i : i + 100])
        print(f"{name}: accuracy {diagram.accuracy():.3f} ece {diagram.expected_calibration_error():.4f}")


if __name__ == "__main__":
    main()
