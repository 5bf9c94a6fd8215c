import haiku as hk
import jax
import jax.numpy as jnp


class GraphConv(hk.Module):
    def __init__(self, width, name=None):
        super().__init__(name=name)
        self.width = width

    def __call__(self, nodes, senders, receivers):
        messages = hk.Linear(self.width, name="message")(nodes)[senders]
        agg = jax.ops.segment_sum(messages, receivers, num_segments=nodes.shape[0])
        return jax.nn.relu(hk.Linear(self.width, name="self")(nodes) + agg)


def readout(nodes, graph_ids, n_graphs):
    totals = jax.ops.segment_sum(nodes, graph_ids, num_segments=n_graphs)
    counts = jax.ops.segment_sum(jnp.ones(nodes.shape[0]), graph_ids, num_segments=n_graphs)
    return totals / jnp.maximum(counts, 1.0)[:, None]


def graph_classifier(batch, n_graphs):
    h = batch["nodes"]
    for i in range(2):
        h = GraphConv(16, name=f"conv_{i}")(h, batch["senders"], batch["receivers"])
    return hk.Linear(2, name="head")(readout(h, batch["graph_ids"], n_graphs))
