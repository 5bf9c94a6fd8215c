from functools import partial

import haiku as hk
import jax
import numpy as np
import optax

from gnn import graph_classifier

N_GRAPHS, NODES = 16, 6
network = hk.without_apply_rng(hk.transform(graph_classifier))
opt = optax.adam(5e-3)


def make_batch(rng):
    labels = rng.integers(0, 2, size=N_GRAPHS)
    nodes = rng.normal(size=(N_GRAPHS * NODES, 3)) + np.repeat(labels, NODES)[:, None]
    ring = np.arange(NODES)
    senders = np.concatenate([g * NODES + ring for g in range(N_GRAPHS)])
    receivers = np.concatenate([g * NODES + np.roll(ring, 1) for g in range(N_GRAPHS)])
    return {
        "nodes": nodes.astype(np.float32),
        "senders": senders,
        "receivers": receivers,
        "graph_ids": np.repeat(np.arange(N_GRAPHS), NODES),
        "labels": labels,
    }


def loss_fn(params, batch):
    logits = network.apply(params, batch, N_GRAPHS)
    return optax.softmax_cross_entropy_with_integer_labels(logits, batch["labels"]).mean()


@jax.jit
def update(params, opt_state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(params, batch)
    updates, opt_state = opt.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    rng = np.random.default_rng(0)
    init = jax.jit(partial(network.init, n_graphs=N_GRAPHS))
    params = init(jax.random.key(0), make_batch(rng))
    opt_state = opt.init(params)
    for step in range(60):
        params, opt_state, loss = update(params, opt_state, make_batch(rng))
        if step % 20 == 0:
            print(f"step {step} loss {loss:.4f}")


if __name__ == "__main__":
    main()
