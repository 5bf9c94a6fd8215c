"""Example values and calls. They say how to call a function, never what is true of it.

A wrong entry here costs a measurement, and shows up in the coverage the probe prints.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

VALUES: dict[str, Any] = {
    "jax": jax, "jnp": jnp, "np": np, "lax": jax.lax, "partial": __import__("functools").partial,
    "s": jnp.float32(0.5), "v": jnp.array([0.25, 0.5, 0.75]), "w": jnp.array([0.1, 0.2, 0.3, 0.4]),
    "m": jnp.array([[2.0, 0.5, 0.25], [0.5, 3.0, 0.75], [0.25, 0.75, 4.0]]),
    "t": jnp.arange(8.0).reshape(2, 2, 2) + 1, "i": jnp.array([0, 1, 2]), "j": jnp.array([[1, 2, 0], [0, 1, 2], [2, 0, 1]]),
    "n": jnp.int32(2), "b": jnp.array([True, False, True]), "c": jnp.array([0.5 + 1j, 1 - 2j, 0.25]),
    "u8": jnp.array([1, 2, 3], dtype=jnp.uint8), "i8": jnp.array([1, 2, 3], dtype=jnp.int8),
    "k": jax.random.key(0), "raw": jax.random.PRNGKey(0), "x4": jnp.ones((1, 4, 4, 1)), "w4": jnp.ones((2, 2, 1, 1)),
    "q": jnp.ones((1, 4, 2, 8)), "f": jnp.sin, "add": jnp.add, "tree": {"a": jnp.ones(3), "b": (jnp.zeros(2),)},
    "td": jax.tree_util.tree_structure({"a": 1, "b": (2,)}), "leaf2": [jnp.ones(3), jnp.zeros(2)],
    "f32": jnp.float32, "device": jax.devices()[0],
}

# Values for all unknown required parameters at once, tried in this order.
FIRST_THEMES = ("v", "m", "i")
THEMES = ("v", "m", "i", "s", "b", "c", "2", "u8", "j", "t", "k", "f", "[v, v]", "tree", "f32", "'float32'")

# Values by the name of a parameter, whatever function has it.
_NAMED: dict[str, tuple[str, ...]] = {
    "axis": ("0", "(0,)"), "axes": ("(0,)", "0", "(0, 1)", "(1, 0)"), "shape": ("(2, 3)", "(3,)", "(3, 3)", "3"), "dtype": ("f32",), "key": ("k",),
    "newshape": ("(3, 1)",), "ndim": ("1", "2"), "dims": ("(3, 3)", "3"), "dimension": ("0",), "dimensions": ("(0,)", "(0, 1)"),
    "keepdims": ("True",), "size": ("4",), "num": ("4",), "length": ("4",), "decimals": ("1",), "ddof": ("0", "1"),
    "k": ("1", "0"), "n": ("3", "2"), "N": ("3",), "M": ("2",), "num_classes": ("4",), "repeats": ("2", "i"),
    "total_repeat_length": ("6",), "fill_value": ("0.0", "0"), "where": ("b", "True"), "initial": ("0.0",), "weights": ("v",),
    "order": ("'C'", "1"), "mode": ("'clip'", "'fill'", "'wrap'", "'constant'", "'same'"), "ord": ("2", "1"), "shift": ("1",), "shifts": ("(1,)", "1"),
    "indices_or_sections": ("3", "1"), "num_segments": ("4",), "segment_ids": ("i",), "data": ("v",), "reps": ("2", "(2, 2)"),
    "pad_width": ("1", "(1, 1)"), "q": ("0.5", "v"), "func": ("f",), "fun": ("f",), "f": ("f",), "deg": ("1",), "bins": ("4", "v"),
    "range": ("(0.0, 1.0)",), "tree": ("tree",), "axis1": ("0",), "axis2": ("1",), "source": ("0",), "destination": ("-1",),
    "offset": ("0", "1"), "start": ("0",), "stop": ("4",), "step": ("1", "2"), "base": ("10.0", "2"), "endpoint": ("False",),
    "return_index": ("True",), "return_inverse": ("True",), "return_counts": ("True",), "assume_unique": ("True",),
    "equal_nan": ("True",), "rtol": ("1e-3",), "atol": ("1e-3",), "tol": ("1e-3",), "rcond": ("1e-3",), "hermitian": ("True",),
    "full_matrices": ("False",), "compute_uv": ("False",), "UPLO": ("'L'",), "precision": ("'highest'",), "indices": ("i", "(i,)"), "ind": ("i",),
    "indexing": ("'ij'",), "sparse": ("True",), "invert": ("True",), "side": ("'right'",), "sorter": ("i",), "replace": ("False",),
    "p": ("0.5", "v / 1.5"), "minval": ("0", "0.0"), "maxval": ("4", "1.0"), "shape_": ("(3,)",), "impl": ("'threefry2x32'",), "seed": ("0",),
    "axis_name": ("'i'",), "negative_slope": ("0.1",), "approximate": ("False",), "alpha": ("1.0", "v"), "beta": ("1.0", "v"),
    "minlength": ("4",), "copy": ("True",), "subok": ("True",), "object": ("v", "2"), "aweights": ("v",), "fweights": ("i",),
    "bias": ("True",), "rowvar": ("True",), "lower": ("True", "v"), "overwrite_a": ("True",), "check_finite": ("True",), "trans": ("0",),
    "method": ("'linear'", "'auto'"), "nan": ("0.0",), "posinf": ("1.0",), "neginf": ("-1.0",), "left": ("0.0",), "right": ("0.0",), "period": ("1.0",),
    "lag": ("1",), "window": ("'hann'",), "leaves": ("leaf2",), "treedef": ("td",), "is_leaf": ("None",), "condition": ("b",), "pred": ("b", "True"),
    "permutation": ("(0,)", "(1, 0)"), "broadcast_dimensions": ("(0,)",), "sizes": ("(2,)",), "sharding": ("None",), "out_sharding": ("None",),
    "start_indices": ("(0,)",), "start_index": ("0",), "slice_sizes": ("(2,)",), "slice_size": ("2",), "limit_indices": ("(2,)",),
    "limit_index": ("2",), "stride": ("1",), "strides": ("(1,)",), "index_dtype": ("jnp.int32",), "new_dtype": ("jnp.int32",), "unroll": ("1", "2"),
    "reverse": ("True",), "unique_indices": ("True",), "indices_are_sorted": ("True",), "is_stable": ("True",), "num_keys": ("1",),
    "descending": ("True",), "stable": ("True",), "kind": ("'stable'",), "prepend": ("s", "v"), "append": ("s", "v"), "varargs": ("1.0",), "dx": ("1.0",), "x": ("v",),
    "loc": ("0.0",), "scale": ("1.0",), "df": ("3.0",), "a_min": ("0.0",), "a_max": ("1.0",), "min": ("0.0",), "max": ("1.0",),
    "nu": ("2",), "ndims": ("1",), "choices": ("[v, v, v]",), "choicelist": ("[v, v]",), "condlist": ("[b, b]",), "obj": ("1", "i"), "values": ("v", "1.0"),
    "assume_unique_indices": ("True",), "trim": ("'fb'",), "increasing": ("True",), "return_sign": ("True",), "b": ("v",), "degree": ("1",), "return_weak_type_flag": ("True",),
    "promote_integers": ("True",), "strip_zeros": ("False",), "overwrite_input": ("False",), "correction": ("1",), "casting": ("'safe'",), "allow_extended_dtype": ("True",),
    "retstep": ("True",), "epsilon": ("1e-5",), "variance": ("1.0",), "mean": ("0.0", "v"), "in_axis": ("0",), "out_axis": ("-1",), "batch_axis": ("()", "0"), "fft_type": ("'fft'",), "fft_lengths": ("(3,)",),
    "include_initial": ("True",), "density": ("True",), "hi_prec": ("True",), "cov": ("m",), "rank": ("1",), "norm": ("'ortho'",), "s": ("(3,)", "(3, 3)"), "d": ("1.0",), "tolerance": ("1e-3",),
    "bitorder": ("'little'",), "count": ("8",), "full": ("True",), "w": ("v",), "operand": ("v", "m", "i"), "new_sizes": ("(3, 1)",), "iterations": ("2",), "max_iter": ("4",), "return_eigenvectors": ("False",),
    "independent": ("True",), "upper": ("True", "v"), "mask": ("b",), "preferred_element_type": ("f32",), "compute_left_eigenvectors": ("False",), "compute_right_eigenvectors": ("False",),
    "eigenvectors": ("True",), "eigvals_only": ("True",), "batch_size": ("1",), "window_size": ("2",), "nperseg": ("2",), "noverlap": ("1",), "nfft": ("4",), "fs": ("1.0",), "detrend": ("False",), "return_onesided": ("True",), "scaling": ("'density'",), "average": ("'mean'",), "bc_type": ("None",), "recall_target": ("0.9",), "window_dilation": ("(1, 1)",), "base_dilation": ("(1, 1)",), "accuracy": ("None",), "device": ("None",), "optimize": ("True",), "type": ("2", "1"),
}


def named(function: str, parameter: str) -> tuple[str, ...]:
    from jaxlint.knowledge.probe import calls_by_hand

    return calls_by_hand.VALUES.get(f"{function}.{parameter}", _NAMED.get(parameter, ()))


_values: dict[str, Any] = {}


def value(source: str) -> Any:
    if source not in _values:
        _values[source] = eval(source, VALUES)
    return _values[source]


def _calls() -> dict[str, tuple[str, ...]]:
    from jaxlint.knowledge.probe import calls_by_hand

    return calls_by_hand.CALLS


CALLS = _calls()
