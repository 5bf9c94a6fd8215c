"""Shapes of products of arrays: `dot`, `einsum`, `tensordot`, `outer` and their kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.promotion import combined, floating, matmul
from jaxlint.analysis.shapes.bound_arguments import Given, Shape, number, total


def _of(given: Given, avals: list[v.Aval], shape: Shape) -> v.Aval:
    if "preferred_element_type" in given:
        return v.Aval(None, shape)
    dtype, weak = combined(avals)
    # What is summed over is no Python number any more.
    return v.Aval(dtype, shape, weak if weak is False else None)


def multiplied(given: Given) -> v.Aval:
    a, b = given.first, given.aval(1, "b", "x2", "y", "rhs")
    return _of(given, [a, b], matmul(a.shape, b.shape))


def dotted(given: Given) -> v.Aval:
    """`dot`: for more than two dimensions the last axis of one and the last but one of the other."""
    a, b = given.first, given.aval(1, "b", "rhs")
    if a.shape is None or b.shape is None:
        return _of(given, [a, b], None)
    if not a.shape or not b.shape:
        return _of(given, [a, b], a.shape + b.shape)
    rest = b.shape[:-2] + b.shape[-1:] if len(b.shape) > 1 else ()
    return _of(given, [a, b], a.shape[:-1] + rest)


def inner(given: Given) -> v.Aval:
    a, b = given.first, given.aval(1, "b")
    if a.shape is None or b.shape is None:
        return _of(given, [a, b], None)
    return _of(given, [a, b], a.shape[:-1] + b.shape[:-1] if a.shape and b.shape else a.shape + b.shape)


def vdot(given: Given) -> v.Aval:
    return _of(given, [given.first, given.aval(1, "b")], ())


def outer(given: Given) -> v.Aval:
    a, b = given.first, given.aval(1, "b")
    sizes = tuple(_length(aval) for aval in (a, b))
    return _of(given, [a, b], sizes)


def _length(aval: v.Aval) -> int | None:
    return None if aval.shape is None else total(aval.shape)


def tensordot(given: Given) -> v.Aval:
    a, b = given.first, given.aval(1, "b")
    axes = given.operand(2, "axes") or v.Const(2)
    count = number(axes)
    if a.shape is None or b.shape is None:
        return _of(given, [a, b], None)
    if isinstance(count, int):
        if not 0 <= count <= min(len(a.shape), len(b.shape)):
            return v.ANY
        return _of(given, [a, b], a.shape[: len(a.shape) - count] + b.shape[count:])
    pair = given.i.items_of(axes) if type(axes) in (v.Tuple, v.Ref) else None
    if pair is None or len(pair) != 2:
        return _of(given, [a, b], None)
    left, right = given.axes(pair[0], len(a.shape)), given.axes(pair[1], len(b.shape))
    if left is None or right is None:
        return _of(given, [a, b], None)
    kept = [
        [size for axis, size in enumerate(shape) if axis not in gone]
        for shape, gone in ((a.shape, left), (b.shape, right))
    ]
    return _of(given, [a, b], tuple(kept[0] + kept[1]))


def einsum(given: Given) -> v.Aval:
    avals = [given.i.aval_of(value) for value in given.operands[1:]]
    text = given.operands[0] if given.operands else None
    if type(text) is not v.Const or not isinstance(text.value, str) or not avals:
        return v.ANY
    source, arrow, target = text.value.replace(" ", "").partition("->")
    terms = source.split(",")
    if "." in source or len(terms) != len(avals):
        return _of(given, avals, None)
    sizes: dict[str, Any] = {}
    for term, aval in zip(terms, avals):
        if aval.shape is not None and len(aval.shape) == len(term):
            for label, size in zip(term, aval.shape):
                if sizes.get(label) in (None, 1):
                    sizes[label] = size
    if not arrow:
        target = "".join(sorted(label for label in set(source) - {","} if source.count(label) == 1))
    return _of(given, avals, tuple(sizes.get(label) for label in target))


def traced_out(given: Given) -> v.Aval:
    """`trace`, `diagonal` of more than a matrix are not followed."""
    shape = given.first.shape
    return v.Aval(None, () if shape is not None and len(shape) == 2 and len(given.operands) == 1 else None)


def slid(default: str) -> Callable[[Given], v.Aval]:
    """`convolve` and `correlate`, whose mode is the default where none is given."""

    def law(given: Given) -> v.Aval:
        avals = given.first, given.aval(1, "v")
        dtype, _ = combined(avals)
        result = floating(v.Aval(dtype, None, False))
        mode = given.operand(2, "mode")
        word = default if mode is None else mode.value if type(mode) is v.Const else None
        sizes = [aval.shape[0] for aval in avals if aval.shape is not None and len(aval.shape) == 1]
        if len(sizes) != 2 or word not in ("full", "same", "valid"):
            return result
        known = [size for size in sizes if isinstance(size, int)]
        if len(known) != 2:
            return result.shaped((None,))
        longer, shorter = max(known), min(known)
        return result.shaped(({"full": longer + shorter - 1, "same": longer}.get(word, longer - shorter + 1),))

    return law
