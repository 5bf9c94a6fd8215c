"""Classes and functions of libraries that are followed like those of the project, by sources that say what they do.

A source stands for a module whose objects carry the user's own functions and arrays: what it does with
them is told best in Python. Nothing is reported in it. It runs: tests compare what it gives with what the library gives.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "knowledge" / "sources"
_LOSSES = (
    "cosine_distance cosine_similarity hinge_loss huber_loss kl_divergence l2_loss log_cosh safe_softmax_cross_entropy"
    " sigmoid_binary_cross_entropy sigmoid_focal_loss smooth_labels softmax_cross_entropy"
    " softmax_cross_entropy_with_integer_labels squared_error"
).split()
_OF_LOSSES_ALONE = ("kl_divergence_with_log_targets", "poly_loss_cross_entropy", "triplet_margin_loss")
_PROMOTIONS = ("promote_dtypes", "promote_dtypes_inexact")  # private, and what libraries of numerics begin with
_TREES = ("apply_updates", "global_norm", "incremental_update")
_CHECKPOINTERS = ("CheckpointManager", "PyTreeCheckpointer", "StandardCheckpointer")
# Dotted name -> the file of its source, and its name there.
SOURCES = {
    "flax.training.train_state.TrainState": ("train_state.txt", "TrainState"),
    **{f"{module}.{name}": ("optax.txt", name) for name in _LOSSES for module in ("optax", "optax.losses")},
    **{f"optax.losses.{name}": ("optax.txt", name) for name in _OF_LOSSES_ALONE},
    **{f"optax.{name}": ("optax.txt", name) for name in _TREES},
    "optax.tree.norm": ("optax.txt", "global_norm"),
    **{f"flax.jax_utils.{name}": ("flax_training.txt", name) for name in ("replicate", "unreplicate")},
    **{f"jax._src.numpy.util.{name}": ("jax_promotion.txt", name) for name in _PROMOTIONS},
    **{f"orbax.checkpoint.{name}": ("checkpoints.txt", name) for name in _CHECKPOINTERS},
    **{f"orbax.checkpoint.args.{name}": ("checkpoints.txt", name) for name in ("StandardRestore", "PyTreeRestore")},
}
# File and name -> the dotted name; the first one where several stand for one class or function.
_NAMES = {found: dotted for dotted, found in reversed(SOURCES.items())}


def source_of(dotted: str) -> tuple[str, str] | None:
    """The file that tells of a class or function, and its name there; None for one that is known by other means."""
    found = SOURCES.get(dotted)
    return None if found is None else (str(_FOLDER / found[0]), found[1])


def dotted_name(file: str, qualname: str) -> str | None:
    """The dotted name that a class, a function or a method of a source stands for; None for a helper of the source."""
    name, dot, method = qualname.partition(".")
    known = _NAMES.get((os.path.basename(file), name))
    return None if known is None else known + dot + method


@functools.lru_cache(maxsize=4096)
def is_source(file: str) -> bool:
    """Whether a file is such a source."""
    return file.endswith(".txt") and os.path.abspath(file).startswith(str(_FOLDER))
