"""Classify the language of short words with Haiku."""
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

WORDS = [("haus", 0), ("baum", 0), ("wald", 0), ("house", 1), ("trees", 1), ("wood", 1)]


def encode(word, length=6):
    codes = [ord(c) - ord("a") + 1 for c in word[:length]]
    return np.array(codes + [0] * (length - len(codes)), np.int32)


def forward(tokens):
    x = hk.Embed(27, 8)(tokens)
    x = hk.Flatten(preserve_dims=-2)(x)
    x = jax.nn.relu(hk.Linear(16)(x))
    return hk.Linear(2)(x)


network = hk.transform(forward)
optimizer = optax.adam(5e-3)


def loss_fn(params, tokens, labels):
    logits = network.apply(params, None, tokens)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def update(params, opt_state, tokens, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens, labels)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    tokens = jnp.stack([encode(word) for word, _ in WORDS])
    labels = jnp.array([label for _, label in WORDS])
    params = network.init(jax.random.key(0), tokens)
    opt_state = optimizer.init(params)
    for _ in range(30):
        params, opt_state, loss = update(params, opt_state, tokens, labels)
    print("fits", float(loss) < 0.5)


if __name__ == "__main__":
    main()
