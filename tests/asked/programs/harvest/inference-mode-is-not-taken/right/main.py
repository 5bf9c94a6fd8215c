import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class SpeakerNet(eqx.Module):
    first: eqx.nn.Linear
    drop: eqx.nn.Dropout
    out: eqx.nn.Linear

    def __init__(self, n_features, hidden, n_speakers, *, key):
        key_first, key_out = jax.random.split(key)
        self.first = eqx.nn.Linear(n_features, hidden, key=key_first)
        self.drop = eqx.nn.Dropout(0.5)
        self.out = eqx.nn.Linear(hidden, n_speakers, key=key_out)

    def __call__(self, x, key):
        return self.out(self.drop(jax.nn.relu(self.first(x)), key=key))


@eqx.filter_jit
def logits_of(model, x, key):
    keys = jax.random.split(key, x.shape[0])
    return jax.vmap(model)(x, keys)


def loss_fn(model, x, labels, key):
    return optax.softmax_cross_entropy_with_integer_labels(logits_of(model, x, key), labels).mean()


def voices(key, n):
    key_label, key_noise = jax.random.split(key)
    labels = jax.random.randint(key_label, (n,), 0, 4)
    centres = 1.5 * jax.random.normal(jax.random.key(99), (4, 12))
    return centres[labels] + jax.random.normal(key_noise, (n, 12)), labels


def main():
    key_data, key_model, key_train, key_eval = jax.random.split(jax.random.key(27), 4)
    x, labels = voices(key_data, 200)
    model = SpeakerNet(12, 32, 4, key=key_model)
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))

    @eqx.filter_jit
    def train_step(model, opt_state, key):
        grads = eqx.filter_grad(loss_fn)(model, x, labels, key)
        updates, opt_state = optimizer.update(grads, opt_state)
        return eqx.apply_updates(model, updates), opt_state

    for key in jax.random.split(key_train, 40):
        model, opt_state = train_step(model, opt_state, key)

    model = eqx.nn.inference_mode(model)
    losses = jnp.stack([loss_fn(model, x, labels, key) for key in jax.random.split(key_eval, 5)])
    print("loss", round(float(losses.mean()), 2))
    print("spread over five evaluations", round(float(losses.std()), 4))


if __name__ == "__main__":
    main()
