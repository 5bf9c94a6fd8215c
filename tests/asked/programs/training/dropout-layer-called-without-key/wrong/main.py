"""Train an Equinox classifier with dropout."""
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Classifier(eqx.Module):
    first: eqx.nn.Linear
    dropout: eqx.nn.Dropout
    last: eqx.nn.Linear

    def __init__(self, key):
        k_first, k_last = jax.random.split(key)
        self.first = eqx.nn.Linear(4, 16, key=k_first)
        self.dropout = eqx.nn.Dropout(0.2)
        self.last = eqx.nn.Linear(16, 3, key=k_last)

    def __call__(self, x, key=None):
        x = jax.nn.relu(self.first(x))
        return self.last(self.dropout(x, key=key))  # mistake


@eqx.filter_value_and_grad
def loss_fn(model, x, labels, key):
    logits = jax.vmap(model)(x)  # mistake
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def main():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 60)
    x = (np.eye(4)[labels] + 0.1 * rng.normal(size=(60, 4))).astype(np.float32)
    key_model, key = jax.random.split(jax.random.key(0))
    model = Classifier(key_model)
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_array))

    @eqx.filter_jit
    def step(model, opt_state, key):
        loss, grads = loss_fn(model, x, labels, key)
        updates, opt_state = optimizer.update(grads, opt_state)
        return eqx.apply_updates(model, updates), opt_state, loss

    for index in range(60):
        model, opt_state, loss = step(model, opt_state, jax.random.fold_in(key, index))
    print("loss below 0.8:", float(loss) < 0.8)


if __name__ == "__main__":
    main()
