import haiku as hk
import jax
import jax.numpy as jnp


class MessagePassing(hk.Module):
    def __init__(self, width: int, name=None):
        super().__init__(name=name)
        self.width = width

    def __call__(self, nodes, senders, receivers):
        messages = hk.Linear(self.width, name="message")(nodes[senders])
        incoming = jax.ops.segment_sum(jax.nn.relu(messages), receivers, num_segments=nodes.shape[0])
        both = jnp.concatenate([nodes, incoming], axis=-1)
        return jax.nn.relu(hk.Linear(self.width, name="update")(both))


def pool_graphs(nodes, graph):
    total = jax.ops.segment_sum(nodes, graph.graph_ids, num_segments=graph.n_graph)  # mistake
    counts = jnp.bincount(graph.graph_ids, length=total.shape[0])
    return total / counts[:, None]


def net_fn(graph):
    h = hk.Linear(16)(graph.nodes)
    for i in range(2):
        h = MessagePassing(16, name=f"mp_{i}")(h, graph.senders, graph.receivers)
    pooled = pool_graphs(h, graph)
    return hk.Linear(1, name="readout")(pooled)[:, 0]
