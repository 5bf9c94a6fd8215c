import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState

from config import EncoderConfig
from encoder import IntentClassifier


def make_utterances(cfg, n, seed):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(4, cfg.max_len + 1, n)
    tokens = rng.integers(1, cfg.vocab_size, (n, cfg.max_len))
    tokens = np.where(np.arange(cfg.max_len) < lengths[:, None], tokens, cfg.pad_id)
    labels = (tokens[:, 0] % cfg.n_intents).astype(np.int32)
    return tokens.astype(np.int32), labels


@jax.jit
def train_step(state, tokens, labels):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, tokens)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def accuracy(state, tokens, labels):
    logits = state.apply_fn({"params": state.params}, tokens)
    return jnp.mean(logits.argmax(-1) == labels)


def main():
    cfg = EncoderConfig()
    model = IntentClassifier(cfg)
    tokens, labels = make_utterances(cfg, 96, seed=1)
    params = jax.jit(model.init)(jax.random.key(0), tokens[:2])["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adamw(1e-3))
    for epoch in range(4):
        for start in range(0, 96, 24):
            state, loss = train_step(
                state, tokens[start : start + 24], labels[start : start + 24]
            )
        print(f"epoch {epoch} loss {float(loss):.3f}")
    print("train accuracy", float(accuracy(state, tokens, labels)))


if __name__ == "__main__":
    main()
