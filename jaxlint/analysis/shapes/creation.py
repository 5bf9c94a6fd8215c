"""Shapes and dtypes of arrays that are made of sizes, numbers and lists."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.promotion import broadcast, combined, floating
from jaxlint.analysis.shapes.bound_arguments import Given, Shape, dtype_of, number

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_DEPTH = 4  # of nested lists that are looked into


# Transforms whose results are real, and those of real numbers, which give half of a symmetric spectrum.
_REAL = frozenset("irfft hfft irfft2 irfftn".split())
_HALF = frozenset({"bfloat16", "float16"})
_HALVED = frozenset("rfft ihfft rfft2 rfftn".split())


def ones(given: Given) -> v.Aval:
    return filled(given, 1)


def zeros(given: Given) -> v.Aval:
    return filled(given, 0)


def filled(given: Given, number: int) -> v.Aval:
    """Of integers, or of floats that hold few of them, the number is known."""
    aval = v.Aval(given.dtype("float32"), given.shape(given.operand(0, "shape")))
    known = aval.dtype is not None and ("int" in aval.dtype or aval.dtype in _HALF)
    return aval.spanning((number, number)) if known else aval


def full(given: Given) -> v.Aval:
    shape, fill = given.shape(given.operand(0, "shape")), given.aval(1, "fill_value")
    return v.Aval(given.dtype(), shape) if "dtype" in given else v.Aval(fill.dtype, shape, fill.weak)


def like(given: Given) -> v.Aval:
    aval = given.first
    shape = given.shape(given.get("shape")) if "shape" in given else aval.shape
    return v.Aval(given.dtype(), shape) if "dtype" in given else aval.shaped(shape)


def arange(given: Given) -> v.Aval:
    ends = [value for value in (given.operand(0, "start"), given.get("stop"), given.get("step")) if value is not None]
    dtype = given.dtype() if "dtype" in given else combined([given.i.aval_of(value) for value in ends])[0]
    numbers = [value.value for value in ends if type(value) is v.Const and type(value.value) in (int, float)]
    if len(given.operands) > len(ends) or not ends or len(numbers) < len(ends) or ("step" in given) != (len(ends) == 3):
        return v.Aval(dtype, (None,))
    start, stop = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    step = numbers[2] if len(numbers) == 3 else 1
    try:
        length = max(0, math.ceil((stop - start) / step))
        ends_at = start + step * (length - 1)
        spans = length > 1 and type(start) is int and type(step) is int and dtype is not None and "int" in dtype
        return v.Aval(dtype, (length,), span=(min(start, ends_at), max(start, ends_at)) if spans else None)
    except (ArithmeticError, ValueError):  # no step, or what no float holds: infinities, NaN, too large an integer
        return v.Aval(dtype, (None,))


def linspace(given: Given) -> v.Aval:
    ends = [floating(given.aval(n, name)) for n, name in enumerate(("start", "stop"))]
    inner = broadcast(ends[0].shape, ends[1].shape)
    dtype = given.dtype() if "dtype" in given else combined(ends)[0]
    size = number(given.get("num")) if "num" in given else 50
    if "axis" in given.named or "retstep" in given.named:
        return v.Aval(dtype)
    return v.Aval(dtype, None if inner is None else (size, *inner))


def spectrum(given: Given, last: str) -> v.Aval:
    """The result of a function of `jax.numpy.fft`."""
    if last in ("fftfreq", "rfftfreq"):
        size = number(given.operand(0, "n"))
        length = size // 2 + 1 if isinstance(size, int) and last == "rfftfreq" else size
        return v.Aval(given.dtype("float32"), (length,))
    first, shape = given.first, given.first.shape
    if last in ("fftshift", "ifftshift"):
        return v.Aval(first.dtype, shape, first.weak)
    dtype = None if first.dtype is None else "float32" if last in _REAL else "complex64"
    if {"axis", "axes", "s"} & given.named.keys() or not shape:
        return v.Aval(dtype)
    size = number(given.get("n")) if "n" in given else shape[-1]
    if not isinstance(size, int):
        return v.Aval(dtype, (*shape[:-1], None))
    if last in _HALVED:
        size = size // 2 + 1
    elif last in _REAL and "n" not in given:
        size = 2 * (size - 1)
    return v.Aval(dtype, (*shape[:-1], size))


def eye(given: Given) -> v.Aval:
    rows = number(given.operand(0, "N", "n"))
    return v.Aval(given.dtype("float32"), (rows, number(given.get("M")) if "M" in given else rows))


def one_hot(given: Given) -> v.Aval:
    shape = given.first.shape
    last = None if shape is None or "axis" in given.named else (*shape, number(given.operand(1, "num_classes")))
    return v.Aval(given.dtype("float32"), last)


def iota(given: Given) -> v.Aval:
    return v.Aval(dtype_of(given.operand(0, "dtype")), (number(given.operand(1, "size")),))


def grid(given: Given) -> v.Aval:
    """`indices`: the place of each element along each axis."""
    sizes = given.shape(given.operand(0, "dimensions"))
    shape = None if sizes is None or "sparse" in given.named else (len(sizes), *sizes)
    return v.Aval(given.dtype("int32"), shape)


def counts(given: Given) -> v.Aval:
    """`bincount`: how often each number occurs, or what is counted for it."""
    length = number(given.get("length"))
    shape = (length if isinstance(length, int) else None,)
    return v.Aval(None if "weights" in given else "int32", shape)


def triangle(given: Given) -> list[v.Aval]:
    """`triu_indices` and `tril_indices`: the row and the column of each element, of which there are not counted how many."""
    return [v.Aval("int32", (None,))] * 2


def diagonal(given: Given) -> list[v.Aval] | None:
    """`diag_indices`"""
    size, rank = number(given.operand(0, "n")), number(given.get("ndim")) if "ndim" in given else 2
    return [v.Aval("int32", (size,))] * rank if isinstance(rank, int) and 0 < rank <= 8 else None


def array(given: Given) -> v.Aval:
    value = given.operand(0, "object", "a")
    if value is None or "ndmin" in given:
        return v.Aval(given.dtype())
    if type(value) in (v.Array, v.Host, v.Const, v.Static):
        aval = given.i.aval_of(value)
        if type(value) is v.Const and type(value.value) is int:
            aval = aval.spanning((value.value, value.value))
    else:
        aval = listed(given.i, value)
    if "dtype" not in given:
        return aval
    dtype = given.dtype()
    return v.Aval(dtype, aval.shape, span=aval.span if dtype is not None and "int" in dtype else None)


def whole(given: Given) -> v.Aval:
    """`jnp.int32(n)`"""
    value = given.operand(0, "x")
    if type(value) not in (v.Array, v.Host, v.Const, v.Static) or value is None:
        return v.Aval("int32")
    aval = given.i.aval_of(value)
    return v.Aval("int32", aval.shape, span=_span_of(value, aval))


def listed(interpreter: Interpreter, value: v.Value, depth: int = 0) -> v.Aval:
    """An array made of a list: what its items have in common, one dimension more."""
    if type(value) is v.Tuple and value.items is None and value.element is v.STATIC_INT and not depth:
        return v.Aval("int32")  # the shape of an array of which the number of axes is not known
    items = interpreter.items_of(value) if type(value) in (v.Tuple, v.Ref) else None
    if items is None or depth == _DEPTH or not interpreter.is_list(value):
        return v.ANY
    if not items:
        return v.Aval("float32", (0,))
    inner = [
        listed(interpreter, item, depth + 1) if interpreter.is_list(item) else interpreter.aval_of(item)
        for item in items
    ]
    dtype, weak = combined(inner)
    shape = _agreed([aval.shape for aval in inner])
    spans = [_span_of(item, aval) for item, aval in zip(items, inner)]
    known = [(span[0], span[1]) for span in spans if type(span) is tuple]
    span = (min(low for low, _ in known), max(high for _, high in known)) if len(known) == len(spans) else None
    return v.Aval(dtype, None if shape is None else (len(items), *shape), False if weak is not None else None, span)


def _span_of(item: v.Value, aval: v.Aval) -> v.Span | None:
    """The least and the greatest integer of an item of a list."""
    if type(item) is v.Const:
        return (item.value, item.value) if type(item.value) is int else None
    return aval.span if type(aval.span) is tuple else None


def _agreed(shapes: list[Shape]) -> Shape | None:
    """The shape of each item: a list of arrays of other shapes makes no array."""
    if any(shape is None or len(shape) != len(shapes[0] or ()) for shape in shapes):
        return None
    return tuple(next((size for size in sizes if size is not None), None) for sizes in zip(*shapes))
