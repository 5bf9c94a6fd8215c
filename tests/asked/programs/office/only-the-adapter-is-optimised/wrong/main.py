import jax
import numpy as np
import optax

from lora import forward, init_adapter, init_base


def intent_batch(rng, n=64, dim=20, classes=3):
    labels = rng.integers(0, classes, n)
    x = rng.normal(size=(n, dim)).astype(np.float32)
    x[np.arange(n), labels] += 2.0
    return x, labels


def main():
    base_key, adapter_key = jax.random.split(jax.random.key(0))
    base = init_base(base_key, (20, 32, 3))
    adapter = init_adapter(adapter_key, base, rank=4)
    tx = optax.adamw(1e-2, weight_decay=1e-3)
    opt_state = tx.init(adapter)

    def loss_fn(params, x, labels):
        logits = forward(params, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    @jax.jit
    def update(adapter, opt_state, x, labels):
        params = {"base": base, "adapter": adapter}
        loss, grads = jax.value_and_grad(loss_fn)(params, x, labels)
        updates, opt_state = tx.update(grads, opt_state, adapter)  # mistake
        return optax.apply_updates(adapter, updates), opt_state, loss

    rng = np.random.default_rng(0)
    losses = []
    for _ in range(80):
        adapter, opt_state, loss = update(adapter, opt_state, *intent_batch(rng))
        losses.append(loss)
    losses = np.asarray(jax.device_get(losses))
    n_trained = sum(a.size for a in jax.tree.leaves(adapter))
    print(f"trained {n_trained} numbers, loss {losses[:5].mean():.3f} -> {losses[-5:].mean():.3f}")


if __name__ == "__main__":
    main()
