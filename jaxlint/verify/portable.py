"""Values that go from one release of JAX to another: as JSON, and back as NumPy arrays and containers.

Needs jax and numpy alone, and of jax only what every release has.
"""

from __future__ import annotations

import base64
from typing import Any

import jax
import numpy as np


def encode(value: Any) -> Any:
    """A value as JSON can hold it: arrays to the bit, containers, and of other objects the class."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, complex):
        return {"complex": [value.real.hex(), value.imag.hex()]}
    if isinstance(value, jax.core.Tracer):
        return {"object": "tracer"}
    if _is_key(value):
        return {"key": str(jax.random.key_impl(value)), "data": encode(np.asarray(jax.random.key_data(value)))}
    if (
        isinstance(value, (np.ndarray, np.generic))
        or hasattr(value, "__jax_array__")
        or hasattr(value, "block_until_ready")
    ):
        return _encode_array(value)
    if type(value) in (list, tuple):
        return {type(value).__name__: [encode(each) for each in value]}
    if type(value) is dict and all(isinstance(key, str) for key in value):
        return {"dict": {key: encode(each) for key, each in sorted(value.items())}}
    children = jax.tree_util.tree_leaves(value, is_leaf=lambda each: each is not value)
    if len(children) == 1 and children[0] is value:  # a leaf
        return {"object": _text(value)}
    return {"node": type(value).__name__, "children": [encode(each) for each in children]}


def decode(encoded: Any) -> Any:
    """What ``encode`` was given, with NumPy arrays for arrays and lists for the nodes of a library."""
    if not isinstance(encoded, dict):
        return encoded
    kind = next(iter(encoded))
    content = encoded[kind]
    if kind == "float":
        return float.fromhex(content)
    if kind == "complex":
        return complex(*map(float.fromhex, content))
    if kind == "array":
        return np.frombuffer(base64.b64decode(encoded["bytes"]), jax.numpy.dtype(content)).reshape(encoded["shape"])
    if kind == "key":
        return [f"key of {content}", decode(encoded["data"])]
    if kind == "list":
        return [decode(each) for each in content]
    if kind == "tuple":
        return tuple(decode(each) for each in content)
    if kind == "dict":
        return {key: decode(each) for key, each in content.items()}
    if kind == "node":
        return [f"a {content}", *(decode(each) for each in encoded["children"])]
    return f"<{content}>"


def _encode_array(value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.kind == "O":
        return {"object": f"array of objects, shape {array.shape}"}
    data = base64.b64encode(array.tobytes()).decode("ascii")
    return {"array": array.dtype.name, "shape": list(array.shape), "bytes": data}


def _is_key(value: Any) -> bool:
    kind = getattr(getattr(jax, "dtypes", None), "prng_key", None)
    dtype = getattr(value, "dtype", None)
    return kind is not None and dtype is not None and bool(jax.numpy.issubdtype(dtype, kind))


def _text(value: Any) -> str:
    """A dtype or a class by its name; other objects by their class, since addresses and reprs differ."""
    if isinstance(value, type) or callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    return str(value) if isinstance(value, np.dtype) else type(value).__name__
