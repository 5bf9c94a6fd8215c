"""Fit a curve with an Equinox MLP."""
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


def dataset(key, n=64):
    x = jax.random.uniform(key, (n, 1), minval=-2.0, maxval=2.0)
    return x, jnp.sin(2.0 * x)


class Trainer:
    def __init__(self, model, learning_rate):
        self.optimizer = optax.adam(learning_rate)
        self.model = model
        self.opt_state = self.optimizer.init(eqx.filter(model, eqx.is_array))

    def fit(self, x, y, steps):
        @eqx.filter_jit
        def step(model, opt_state, x, y):
            loss, grads = eqx.filter_value_and_grad(mean_squared_error)(model, x, y)
            updates, opt_state = self.optimizer.update(grads, opt_state)
            return eqx.apply_updates(model, updates), opt_state, loss

        for _ in range(steps):
            self.model, self.opt_state, loss = step(self.model, self.opt_state, x, y)
        return loss


def mean_squared_error(model, x, y):
    return jnp.mean((jax.vmap(model)(x) - y) ** 2)


def main():
    key_data, key_model = jax.random.split(jax.random.key(0))
    model = eqx.nn.MLP(1, 1, 16, 2, activation=jnp.tanh, key=key_model)
    trainer = Trainer(model, 1e-2)
    loss = trainer.fit(*dataset(key_data), steps=150)
    print("loss below 0.2:", float(loss) < 0.2)


if __name__ == "__main__":
    main()
