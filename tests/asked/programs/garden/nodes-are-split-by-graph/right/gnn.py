import equinox as eqx
import jax
import jax.numpy as jnp


class SolubilityGNN(eqx.Module):
    embed: eqx.nn.Linear
    messages: list[eqx.nn.Linear]
    head: eqx.nn.Linear

    def __init__(self, n_features, width, rounds, *, key):
        k_embed, k_head, *k_rounds = jax.random.split(key, rounds + 2)
        self.embed = eqx.nn.Linear(n_features, width, key=k_embed)
        self.messages = [eqx.nn.Linear(2 * width, width, key=k) for k in k_rounds]
        self.head = eqx.nn.Linear(width, "scalar", key=k_head)

    def readout(self, h, n_node):
        n_graphs = n_node.shape[0]
        owner = jnp.repeat(
            jnp.arange(n_graphs), n_node, total_repeat_length=h.shape[0]
        )
        return jax.ops.segment_sum(h, owner, num_segments=n_graphs)

    def __call__(self, graph):
        h = jax.vmap(self.embed)(graph["nodes"])
        for layer in self.messages:
            gathered = jax.ops.segment_sum(
                h[graph["senders"]], graph["receivers"], num_segments=h.shape[0]
            )
            h = h + jax.nn.relu(jax.vmap(layer)(jnp.concatenate([h, gathered], axis=1)))
        return jax.vmap(self.head)(self.readout(h, graph["n_node"]))
