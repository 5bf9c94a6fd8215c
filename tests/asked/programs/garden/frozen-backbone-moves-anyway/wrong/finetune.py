import jax
import optax


def trainable_mask(params, prefix="head"):
    return jax.tree_util.tree_map_with_path(
        lambda path, _: path[0].key == prefix, params
    )


def head_only_optimizer(params, learning_rate):
    mask = trainable_mask(params)
    return optax.chain(
        optax.clip_by_global_norm(5.0),
        optax.masked(optax.adam(learning_rate), mask),  # mistake
    )
