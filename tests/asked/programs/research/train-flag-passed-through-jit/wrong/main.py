"""Speech command classifier: training and evaluation share one forward function."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax


class SpecAugment(nn.Module):
    rate: float = 0.15

    @nn.compact
    def __call__(self, spec, train):
        if train:  # mistake
            key = self.make_rng("augment")
            keep = jax.random.bernoulli(key, 1.0 - self.rate, (spec.shape[0], 1, spec.shape[2]))
            spec = spec * keep
        return spec


class CommandNet(nn.Module):
    num_words: int

    @nn.compact
    def __call__(self, spec, train):
        x = SpecAugment()(spec, train)
        x = nn.relu(nn.Conv(16, (5,), strides=2)(x))
        x = nn.relu(nn.Conv(32, (3,), strides=2)(x))
        return nn.Dense(self.num_words)(x.max(axis=1))


model = CommandNet(num_words=4)
tx = optax.adam(5e-3)


@jax.jit  # mistake
def forward(params, spec, key, train):
    return model.apply({"params": params}, spec, train, rngs={"augment": key})


@jax.jit
def update(params, opt_state, batch, key):
    def loss_fn(p):
        logits = forward(p, batch["spec"], key, train=True)
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["word"]).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def evaluate(params, spec, word, key):
    logits = forward(params, spec, key, train=False)
    return float(jnp.mean(logits.argmax(-1) == word))


def commands(seed, n):
    rng = np.random.default_rng(seed)
    word = rng.integers(0, 4, n)
    spec = 0.5 * rng.normal(size=(n, 20, 12))
    for i, w in enumerate(word):
        spec[i, :, 3 * w : 3 * w + 3] += np.hanning(20)[:, None]
    return {"spec": spec.astype(np.float32), "word": word}


def main():
    train_set, test_set = commands(0, 256), commands(1, 128)
    key, init_key, eval_key = jax.random.split(jax.random.key(0), 3)
    params = jax.jit(model.init, static_argnums=2)(init_key, train_set["spec"][:1], False)["params"]
    opt_state = tx.init(params)
    for epoch in range(3):
        for i in range(0, 256, 32):
            key, step_key = jax.random.split(key)
            batch = {name: value[i : i + 32] for name, value in train_set.items()}
            params, opt_state, loss = update(params, opt_state, batch, step_key)
        print(f"epoch {epoch} loss {loss:.4f}")
    print("test accuracy", evaluate(params, test_set["spec"], test_set["word"], eval_key))


if __name__ == "__main__":
    main()
