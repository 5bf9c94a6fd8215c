import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Classifier(eqx.Module):
    layers: list

    def __init__(self, key):
        key_in, key_hidden, key_out = jax.random.split(key, 3)
        self.layers = [
            eqx.nn.Linear(4, 24, key=key_in),
            eqx.nn.Linear(24, 24, key=key_hidden),
            eqx.nn.Linear(24, 3, key=key_out),
        ]

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = jax.nn.relu(layer(x))
        return self.layers[-1](x)


def loss_fn(model, x, labels):
    logits = jax.vmap(model)(x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def flowers(key, n):
    key_label, key_noise = jax.random.split(key)
    labels = jax.random.randint(key_label, (n,), 0, 3)
    centres = jnp.array([[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]])
    x = centres[labels] + 0.3 * jax.random.normal(key_noise, (n, 4))
    return (x - x.mean(axis=0)) / x.std(axis=0), labels


def main():
    key_data, key_model = jax.random.split(jax.random.key(150))
    x, labels = flowers(key_data, 150)
    model = Classifier(key_model)
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    @eqx.filter_jit
    def train_step(model, opt_state):
        loss, grads = eqx.filter_value_and_grad(loss_fn)(model, x, labels)
        updates, opt_state = optimizer.update(grads, opt_state)
        return eqx.apply_updates(model, updates), opt_state, loss

    for step in range(60):
        model, opt_state, loss = train_step(model, opt_state)
        if step % 20 == 19:
            print("step", step + 1, "loss", round(float(loss), 3))


if __name__ == "__main__":
    main()
