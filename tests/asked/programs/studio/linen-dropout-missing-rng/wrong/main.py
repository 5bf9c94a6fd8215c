import jax
import jax.numpy as jnp
import numpy as np
import optax

from encoder import PeptideClassifier

model = PeptideClassifier()
tx = optax.adamw(3e-3)


def bce(params, tokens, labels, key):
    del key
    logits = model.apply({"params": params}, tokens, deterministic=False)  # mistake
    return optax.sigmoid_binary_cross_entropy(logits, labels).mean()


@jax.jit
def train_step(params, opt_state, key, tokens, labels):
    loss, grads = jax.value_and_grad(bce)(params, tokens, labels, key)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


@jax.jit
def predict(params, tokens):
    return model.apply({"params": params}, tokens, deterministic=True) > 0


def peptides(rng, n, length=10):
    tokens = rng.integers(0, 21, size=(n, length))
    labels = (tokens < 7).mean(axis=1) > 1 / 3
    return tokens.astype(np.int32), labels.astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    key, init_key = jax.random.split(jax.random.key(0))
    params = model.init(init_key, jnp.zeros((1, 10), jnp.int32), deterministic=True)["params"]
    opt_state = tx.init(params)
    for step in range(61):
        key, dropout_key = jax.random.split(key)
        tokens, labels = peptides(rng, 64)
        params, opt_state, loss = train_step(params, opt_state, dropout_key, tokens, labels)
        if step % 20 == 0:
            print(step, f"{loss:.4f}")
    tokens, labels = peptides(rng, 256)
    print("accuracy", float((predict(params, tokens) == labels).mean()))


if __name__ == "__main__":
    main()
