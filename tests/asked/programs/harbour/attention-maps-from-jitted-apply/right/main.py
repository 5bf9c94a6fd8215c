import jax
import jax.numpy as jnp
import numpy as np
import optax

from encoder import SequenceEncoder
from inspect_attention import AttentionInspector


def motif_sequences(count, length=12, seed=0):
    rng = np.random.default_rng(seed)
    tokens = rng.integers(1, 20, size=(count, length))
    label = rng.integers(0, 2, size=count)
    spot = rng.integers(0, length, size=count)
    tokens[np.arange(count), spot] = np.where(label == 1, 0, tokens[np.arange(count), spot])
    return tokens, label.astype(np.float32), spot


def main():
    tokens, label, spot = motif_sequences(256)
    model = SequenceEncoder(vocabulary=20)
    params = jax.jit(model.init)(jax.random.key(0), tokens[:1])["params"]
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(params)

    @jax.jit
    def train_step(params, opt_state):
        def loss_fn(params):
            logits = model.apply({"params": params}, tokens)
            return optax.sigmoid_binary_cross_entropy(logits, label).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for _ in range(80):
        params, opt_state, loss = train_step(params, opt_state)
    print("loss", loss)

    inspector = AttentionInspector(model)
    positive = label == 1
    watched = inspector.most_watched(params, tokens[positive])
    print("motif is watched most", jnp.mean(watched == spot[positive]))


if __name__ == "__main__":
    main()
