"""The dtype and shape of an operation on two arrays, as far as theirs are known."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from jaxlint.analysis.domain import values as v

# What each dtype is promoted to next. `int`, `float` and `complex` are those of Python numbers and of weakly
# typed arrays, which take the dtype of what they are combined with.
_NEXT: dict[str, tuple[str, ...]] = {
    "bool": ("int",), "int": ("uint8", "int8"),
    "uint8": ("int16", "uint16"), "uint16": ("int32", "uint32"), "uint32": ("int64",),
    "int8": ("int16",), "int16": ("int32",), "int32": ("int64",), "int64": ("float",),
    "float": ("complex", "bfloat16", "float16"), "bfloat16": ("float32",), "float16": ("float32",),
    "float32": ("complex64",), "complex": ("complex64",), "complex64": (),
}  # fmt: skip
_WEAK = {"int32": "int", "float32": "float", "complex64": "complex"}
# dtype of what the graph names but no array has while 64-bit types are switched off.
_ARRAY = {"int": "int32", "int64": "int32", "float": "float32", "complex": "complex64"}


def combined(avals: Iterable[v.Aval]) -> tuple[str | None, bool | None]:
    """dtype of an operation on avals, and whether it is weak; None for what is not known."""
    found = list(avals)
    if not found or any(aval.dtype not in _NEXT for aval in found):
        return None, None
    results = {_result(tuple((aval.dtype, weak) for aval, weak in zip(found, choice))) for choice in _choices(found)}
    dtypes, weak = {dtype for dtype, _ in results}, {weak for _, weak in results}
    return dtypes.pop() if len(dtypes) == 1 else None, weak.pop() if len(weak) == 1 else None


def _choices(avals: list[v.Aval]) -> list[tuple[bool, ...]]:
    """Each way to read the avals of which it is not known whether they are weak: all of them weak, or none."""
    readings = (False, True) if any(aval.weak is None for aval in avals) else (False,)
    return [tuple(reading if aval.weak is None else aval.weak for aval in avals) for reading in readings]


@functools.cache
def _result(operands: tuple[tuple[str, bool], ...]) -> tuple[str, bool]:
    dtypes = {dtype for dtype, _ in operands}
    weak = all(weak or dtype == "bool" for dtype, weak in operands)
    if len(dtypes) == 1:
        dtype = next(iter(dtypes))
        return dtype, weak and dtype != "bool"
    if weak:
        name = _least(frozenset(dtypes))
        return _ARRAY.get(name, name), True
    name = _least(frozenset(_WEAK.get(dtype, dtype) if weak else dtype for dtype, weak in operands))
    return _ARRAY.get(name, name), name in _WEAK.values()


def _least(dtypes: frozenset[str]) -> str:
    """The least dtype that all of them are promoted to."""
    common = frozenset.intersection(*(_above(dtype) for dtype in dtypes))
    return next(dtype for dtype in common if _above(dtype) == common)


@functools.cache
def _above(dtype: str) -> frozenset[str]:
    return frozenset({dtype}).union(*(_above(each) for each in _NEXT[dtype]))


def is_inexact(dtype: str) -> bool:
    return "float" in dtype or "complex" in dtype


def floating(aval: v.Aval) -> v.Aval:
    """The aval as functions see it that compute with floating-point numbers."""
    if aval.dtype is None or is_inexact(aval.dtype):
        return aval
    return v.Aval("float32" if aval.dtype in _NEXT else None, aval.shape, aval.weak)


def broadcast(a: v.Shape | None, b: v.Shape | None) -> v.Shape | None:
    """Shape of a broadcast, unknown dimensions as None; None where the rank is not known."""
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    result: list[v.Size | None] = []
    for m, n in zip((1,) * (rank - len(a)) + tuple(a), (1,) * (rank - len(b)) + tuple(b)):
        # With an unknown size, a size other than 1 is the one that counts.
        sizes = {size for size in (m, n) if size != 1}
        known = sizes - {None}
        result.append(1 if not sizes else known.pop() if len(known) == 1 else None)
    return tuple(result)


def matmul(a: v.Shape | None, b: v.Shape | None) -> v.Shape | None:
    """Shape of a matrix product: the last two axes are those of matrices, the others are broadcast."""
    if not a or not b:
        return None
    if len(a) == 1 or len(b) == 1:
        return tuple(a[:-1]) + tuple(b[:-2]) + (tuple(b[-1:]) if len(b) > 1 else ())
    batch = broadcast(a[:-2], b[:-2])
    return None if batch is None else (*batch, a[-2], b[-1])
