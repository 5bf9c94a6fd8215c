import jax
import jax.numpy as jnp


def init_params(key, n_features, width):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "embed": 0.5 * jax.random.normal(k1, (n_features, width)),
        "message": 0.3 * jax.random.normal(k2, (width, width)),
        "readout": 0.1 * jax.random.normal(k3, (width,)),
    }


def predict_energy(params, graph):
    mask = graph["mask"][:, None]
    h = (graph["nodes"] @ params["embed"]) * mask
    messages = (h @ params["message"])[graph["senders"]]
    gathered = jax.ops.segment_sum(
        messages, graph["receivers"], num_segments=h.shape[0]
    )
    h = jnp.tanh(h + gathered) * mask
    return jnp.sum(h @ params["readout"])
