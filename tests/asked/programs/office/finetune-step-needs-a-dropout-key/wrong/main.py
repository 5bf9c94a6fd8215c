import flax.traverse_util as traverse
import jax
import numpy as np
import optax

from config import FinetuneConfig
from encoder import TicketEncoder


def label_fn(params):
    flat = traverse.flatten_dict(params)
    return traverse.unflatten_dict({k: "head" if k[0] == "head" else "body" for k in flat})


def batches(cfg, seed):
    rng = np.random.default_rng(seed)
    for _ in range(cfg.steps):
        labels = rng.integers(0, cfg.classes, cfg.batch_size)
        tokens = rng.integers(0, cfg.vocab_size, (cfg.batch_size, 12))
        tokens[:, :6] = 40 * labels[:, None] + rng.integers(0, 40, (cfg.batch_size, 6))
        yield tokens, labels


def main():
    cfg = FinetuneConfig()
    model = TicketEncoder(cfg)
    params_key, train_key = jax.random.split(jax.random.key(0))
    params = model.init(params_key, np.zeros((1, 12), np.int32), deterministic=True)["params"]
    tx = optax.multi_transform({"head": optax.adam(cfg.head_lr), "body": optax.adam(cfg.body_lr)}, label_fn)
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state, tokens, labels, key):
        def loss_fn(p):
            logits = model.apply({"params": p}, tokens, deterministic=False)  # mistake
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    history = []
    for i, (tokens, labels) in enumerate(batches(cfg, seed=1)):
        params, opt_state, loss = step(params, opt_state, tokens, labels, jax.random.fold_in(train_key, i))
        history.append(loss)
    history = jax.device_get(history)
    print(f"loss {history[0]:.3f} -> {history[-1]:.3f}")


if __name__ == "__main__":
    main()
