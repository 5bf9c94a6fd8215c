"""Comparison of what two runs gave: structure, shapes, dtypes and values."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

_SCALARS = (bool, int, float, complex)
# Rewrites may reorder floating-point work; more than this is another result.
_TOLERANCE = {2: 1e-2, 4: 1e-5, 8: 1e-9}


def difference(got: Any, wanted: Any, *, bits: bool = False) -> str | None:
    """What distinguishes ``got`` from ``wanted``, or None.

    With ``bits`` types must be the same and floating-point values equal to the last bit; without,
    a Python scalar may stand for a 0-d array of its kind and values are close.
    """
    got_tree: object
    got_leaves, got_tree = jax.tree_util.tree_flatten_with_path(got)
    wanted_leaves, wanted_tree = jax.tree_util.tree_flatten_with_path(wanted)
    if got_tree != wanted_tree:
        return f"structure {got_tree} instead of {wanted_tree}"
    for (path, left), (_, right) in zip(got_leaves, wanted_leaves):
        found = _leaf_difference(left, right, bits)
        if found:
            where = jax.tree_util.keystr(path)
            return f"{found}{' at ' + where if where else ''}"
    return None


def repeated(value: Any) -> str | None:
    """Which two draws of ``value`` are equal bit by bit, or None.

    Draws are the leaves of a container, or the rows of a lone array; equal ones come from one key.
    """
    draws = [leaf for leaf in jax.tree_util.tree_leaves(value) if _is_array(leaf) or isinstance(leaf, _SCALARS)]
    if len(draws) == 1 and _is_array(draws[0]) and np.ndim(draws[0]) > 0:
        draws = list(_plain(draws[0]))
    for index, left in enumerate(draws):
        for other, right in enumerate(draws[:index]):
            if _same_bits(_plain(left), _plain(right)):
                return f"draws {other} and {index} are equal"
    return None


def tracers(value: Any) -> int:
    """How many leaves of ``value`` are tracers."""
    return sum(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree_util.tree_leaves(value))


def same_form(got: Any, wanted: Any) -> str | None:
    """What distinguishes structure, shapes and dtypes, values aside, or None."""

    def blank(value: Any) -> Any:
        return jax.tree_util.tree_map(lambda leaf: np.zeros_like(_plain(leaf)) if _is_array(leaf) else leaf, value)

    return difference(blank(got), blank(wanted))


def _is_array(value: Any) -> bool:
    return isinstance(value, (jax.Array, np.ndarray, np.generic))


def _is_key(value: Any) -> bool:
    return isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)


def _plain(value: Any) -> np.ndarray:
    return np.asarray(jax.random.key_data(value) if _is_key(value) else value)


def _leaf_difference(got: Any, wanted: Any, bits: bool) -> str | None:
    if isinstance(got, jax.core.Tracer) or isinstance(wanted, jax.core.Tracer):
        return f"a tracer: {got!r} instead of {wanted!r}"
    if bits and type(got) is not type(wanted):
        return f"type {type(got).__name__} instead of {type(wanted).__name__}"
    numeric = (_is_array(got) or isinstance(got, _SCALARS)) and (_is_array(wanted) or isinstance(wanted, _SCALARS))
    if not numeric:
        return None if type(got) is type(wanted) and got == wanted else f"{got!r} instead of {wanted!r}"
    if _is_key(got) != _is_key(wanted):
        return f"{got!r} instead of {wanted!r}"
    form = _form_difference(got, wanted)
    if form:
        return form
    left, right = _plain(got), _plain(wanted)
    same = _same_bits(left, right) if bits else _close(left, right)
    return None if same else f"{got!r} instead of {wanted!r}"


def _form_difference(got: Any, wanted: Any) -> str | None:
    if np.shape(_plain(got)) != np.shape(_plain(wanted)):
        return f"shape {np.shape(_plain(got))} instead of {np.shape(_plain(wanted))}"
    if isinstance(got, _SCALARS) or isinstance(wanted, _SCALARS):
        if _kind(got) != _kind(wanted):
            return f"{_kind(got)} instead of {_kind(wanted)}"
    elif got.dtype != wanted.dtype:
        return f"dtype {got.dtype} instead of {wanted.dtype}"
    return None


def _kind(value: Any) -> str:
    kind = _plain(value).dtype.kind
    return {"b": "bool", "i": "int", "u": "int", "c": "complex"}.get(kind, "float")


def _same_bits(left: np.ndarray, right: np.ndarray) -> bool:
    return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()


def _close(left: np.ndarray, right: np.ndarray) -> bool:
    # ml_dtypes (bfloat16 ...) have kind "V"; they are floats.
    if left.dtype.kind in "biuSU" and right.dtype.kind in "biuSU":
        return bool(np.array_equal(left, right))
    if left.dtype.kind == "O" or right.dtype.kind == "O":
        return bool(np.all(left == right))
    size = min(left.dtype.itemsize, right.dtype.itemsize)
    tolerance = _TOLERANCE.get(size // 2 if left.dtype.kind == "c" else size, 1e-1)
    wide = np.complex128 if "c" in (left.dtype.kind, right.dtype.kind) else np.float64
    return bool(np.allclose(left.astype(wide), right.astype(wide), rtol=tolerance, atol=tolerance, equal_nan=True))
