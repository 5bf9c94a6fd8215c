"""The dtype and shape of an operation on two arrays, as far as theirs are known."""

from __future__ import annotations

from typing import Any, Optional

from jaxlint.semantics import values as v

_ORDERED = ("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "bfloat16", "float16", "float32", "complex64")


def promoted(a: v.Aval, b: v.Aval) -> Optional[str]:
    """dtype of an operation on two avals, where both are known well enough."""
    if a.dtype is None or b.dtype is None:
        return None
    if a.dtype == b.dtype:
        return a.dtype
    if a.dtype not in _ORDERED or b.dtype not in _ORDERED:
        return None
    if a.weak != b.weak:
        strong, weak = (b, a) if a.weak else (a, b)
        assert strong.dtype is not None and weak.dtype is not None
        if _category(strong.dtype) >= _category(weak.dtype):
            return strong.dtype
        return weak.dtype
    return max(a.dtype, b.dtype, key=_ORDERED.index)


def _category(dtype: str) -> int:
    if dtype == "bool":
        return 0
    if "int" in dtype:
        return 1
    return 2 if "float" in dtype else 3


def broadcast(a: Any, b: Any) -> Optional[tuple[Optional[int], ...]]:
    """Shape of a broadcast, unknown dimensions as None; None where the rank is not known."""
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    result: list[Optional[int]] = []
    for m, n in zip((1,) * (rank - len(a)) + tuple(a), (1,) * (rank - len(b)) + tuple(b)):
        result.append(n if m == 1 else m if n == 1 or m == n else None)
    return tuple(result)


def matmul(a: Any, b: Any) -> Optional[tuple[Optional[int], ...]]:
    if a is None or b is None or not a or not b:
        return None
    if len(a) == 1 and len(b) == 1:
        return ()
    if len(a) == 2 and len(b) == 1:
        return (a[0],)
    if len(a) == 1 and len(b) == 2:
        return (b[1],)
    return (a[0], b[1]) if len(a) == len(b) == 2 else None
