"""Train a classifier of three clusters."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Classifier(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(16)(x))
        return nn.Dense(3)(x)


model = Classifier()
tx = optax.adam(1e-2)


@jax.jit
def train_step(params, opt_state, x, y):
    def loss_fn(params):
        predicted = model.apply(params, x)
        return optax.softmax_cross_entropy_with_integer_labels(predicted, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    y = jnp.arange(90) % 3
    centres = jnp.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 3.0]])
    x = centres[y] + 0.3 * jax.random.normal(jax.random.key(0), (90, 2))
    params = model.init(jax.random.key(1), x)
    opt_state = tx.init(params)
    for _ in range(300):
        params, opt_state, loss = train_step(params, opt_state, x, y)
    print("small loss", float(loss) < 0.1)


if __name__ == "__main__":
    main()
