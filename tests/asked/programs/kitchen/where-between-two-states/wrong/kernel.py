import jax
import jax.numpy as jnp


def propose(key, position, scale):
    leaves, treedef = jax.tree.flatten(position)
    keys = jax.random.split(key, len(leaves))
    moved = [x + scale * jax.random.normal(k, x.shape) for x, k in zip(leaves, keys)]
    return jax.tree.unflatten(treedef, moved)


def build_kernel(log_density, scale):
    def kernel(state, key):
        move_key, accept_key = jax.random.split(key)
        position = propose(move_key, state["position"], scale)
        proposal = {"position": position, "log_density": log_density(position)}
        log_ratio = proposal["log_density"] - state["log_density"]
        accept = jnp.log(jax.random.uniform(accept_key)) < log_ratio
        state = jnp.where(accept, proposal, state)  # mistake
        return state, (state["position"], accept)

    return kernel
