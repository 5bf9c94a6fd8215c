import equinox as eqx
import jax
import numpy as np
import optax

import metrics


class Mixer(eqx.Module):
    token_mlp: eqx.nn.MLP
    channel_mlp: eqx.nn.MLP
    head: eqx.nn.Linear

    def __init__(self, patches, dim, classes, *, key):
        k1, k2, k3 = jax.random.split(key, 3)
        self.token_mlp = eqx.nn.MLP(patches, patches, 16, 1, key=k1)
        self.channel_mlp = eqx.nn.MLP(dim, dim, 32, 1, key=k2)
        self.head = eqx.nn.Linear(dim, classes, key=k3)

    def __call__(self, x):
        x = x + jax.vmap(self.token_mlp, in_axes=1, out_axes=1)(x)
        x = x + jax.vmap(self.channel_mlp)(x)
        return self.head(x.mean(axis=0))


def loss_fn(model, x, y):
    logits = jax.vmap(model)(x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


@eqx.filter_jit
def train_step(model, opt_state, tx, x, y):
    loss, grads = eqx.filter_value_and_grad(loss_fn)(model, x, y)
    updates, opt_state = tx.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss


@eqx.filter_jit
def eval_step(model, x, y):
    logits = jax.vmap(model)(x)
    return {"top1": metrics.accuracy(logits, y), "top3": metrics.top_k_accuracy(logits, y)}


def patches_dataset(seed, n, classes=6):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    prototypes = np.random.default_rng(123).normal(size=(classes, 9, 8))
    return (prototypes[y] + rng.normal(size=(n, 9, 8))).astype(np.float32), y


def main():
    x, y = patches_dataset(0, 320)
    x_val, y_val = patches_dataset(1, 192)
    model = Mixer(9, 8, 6, key=jax.random.key(7))
    tx = optax.adam(3e-3)
    opt_state = tx.init(eqx.filter(model, eqx.is_inexact_array))
    for epoch in range(2):
        for i in range(0, len(x), 64):
            model, opt_state, loss = train_step(model, opt_state, tx, x[i : i + 64], y[i : i + 64])
        results = [eval_step(model, x_val[i : i + 64], y_val[i : i + 64]) for i in range(0, 192, 64)]
        print(f"epoch {epoch} loss {loss:.3f}", metrics.summarise(results, [64, 64, 64]))


if __name__ == "__main__":
    main()
