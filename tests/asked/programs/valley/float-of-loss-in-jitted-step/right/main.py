import jax
import numpy as np
import optax

from gcn import GCN, normalised_adjacency
from updates import make_update


def two_communities(rng, n_per, p_in, p_out):
    label = np.repeat([0, 1], n_per)
    same = label[:, None] == label[None]
    upper = np.triu(rng.uniform(size=same.shape) < np.where(same, p_in, p_out), 1)
    return (upper + upper.T).astype(np.float32), label.astype(np.int32)


def main():
    rng = np.random.default_rng(6)
    adj, labels = two_communities(rng, 20, 0.4, 0.05)
    feats = rng.normal(size=(40, 8)).astype(np.float32)
    train_mask = (rng.uniform(size=40) < 0.5).astype(np.float32)
    graph = {"adj": normalised_adjacency(adj), "x": feats}

    model = GCN(hidden=16, classes=2)
    params = model.init(jax.random.PRNGKey(0), graph)
    tx = optax.adam(1e-2)
    opt_state = tx.init(params)
    update = make_update(model, tx)
    history = []
    for _ in range(60):
        params, opt_state, log = update(params, opt_state, graph, labels, train_mask)
        history.append(log)
    for log in history[::20]:
        print({k: round(float(v), 4) for k, v in log.items()})


if __name__ == "__main__":
    main()
