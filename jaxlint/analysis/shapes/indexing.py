"""What a subscript takes of an array: the shape that is left, and indices that are beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.promotion import broadcast
from jaxlint.analysis.domain.state import ListObject
from jaxlint.analysis.shapes.bound_arguments import Shape, number

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter


class _Part(NamedTuple):
    """One index. ``what``: "none", "rest" (an ellipsis), "slice", "number", "array" or "mask"."""

    what: str
    value: v.Value
    shape: tuple[Any, ...] = ()  # of an array of indices, or of a mask


@dataclass(frozen=True, slots=True)
class Beyond:
    """An index that is beyond its axis."""

    part: int  # which of the indices
    index: int
    axis: int
    size: int


def indexed(interpreter: Interpreter, shape: Shape, indices: list[v.Value]) -> Shape:
    """The shape of ``x[indices]``; None where its rank is not known."""
    parts = _parts(interpreter, shape, indices)
    if shape is None or parts is None:
        return None
    result: list[Any] = []
    place: int | None = None  # where the axes of the index arrays go
    last = -2
    together: Shape = ()
    arrays = any(part.what in ("array", "mask") for part in parts)
    axis = 0
    for position, part in enumerate(parts):
        if part.what == "none":
            result.append(1)
        elif part.what == "slice":
            result.append(_length(part.value, shape[axis]))
            axis += 1
        else:
            masked = part.what == "mask"
            together = broadcast(together, (None,) if masked else part.shape)
            axis += len(part.shape) if masked else 1
            if arrays:
                # Index arrays that are not side by side put their axes first.
                place = len(result) if place is None else place if last == position - 1 else 0
                last = position
    result += shape[axis:]
    if together is None:
        return None
    place = place or 0
    return (*result[:place], *together, *result[place:])


def beyond(interpreter: Interpreter, shape: Shape, indices: list[v.Value]) -> Beyond | None:
    """The first index that is a number and beyond its axis."""
    parts = _parts(interpreter, shape, indices)
    if shape is None or parts is None:
        return None
    axis = 0
    for part in parts:
        if part.what == "none":
            continue
        index, size = number(part.value), shape[axis]
        if part.what == "number" and isinstance(index, int) and isinstance(size, int) and not -size <= index < size:
            position = next(n for n, value in enumerate(indices) if value is part.value)
            return Beyond(position, index, axis, size)
        axis += len(part.shape) if part.what == "mask" else 1
    return None


def takes_all(index: v.Value) -> bool:
    """Whether an index leaves nothing out: `x[:, None]`."""
    parts = index.items if type(index) is v.Tuple and index.items is not None else (index,)
    return all(
        v.is_none(each)
        or (type(each) is v.Const and each.value is ...)
        or (type(each) is v.Slice and all(v.is_none(end) for end in (each.lower, each.upper, each.step)))
        for each in parts
    )


def axes_taken(indices: list[v.Value]) -> int:
    """How many axes some indices certainly take; what is not known takes none."""
    count = 0
    for value in indices:
        if type(value) is v.Const:
            count += type(value.value) is int
        elif type(value) in (v.Array, v.Host):
            count += "int" in (value.aval.dtype or "")  # type: ignore[attr-defined]
        else:
            count += type(value) is v.Slice or (type(value) is v.Static and value.type == "int")
    return count


def reaching(interpreter: Interpreter, shape: Shape, indices: list[v.Value]) -> Iterator[tuple[int, v.Span, int, int]]:
    """The indices that take several values in turn: which of the indices, the values, the axis and its size."""
    parts = _parts(interpreter, shape, indices)
    if shape is None or parts is None:
        return
    axis = 0
    for part in parts:
        if part.what == "none":
            continue
        span, size = part.value.aval.span if type(part.value) is v.Array else None, shape[axis]
        if span is not None and isinstance(size, int):
            yield next(n for n, value in enumerate(indices) if value is part.value), span, axis, size
        axis += len(part.shape) if part.what == "mask" else 1


def _parts(interpreter: Interpreter, shape: Shape, indices: list[v.Value]) -> list[_Part] | None:
    """Each index, an ellipsis written out as slices; None where one of them may be anything."""
    if shape is None:
        return None
    parts = [_part(interpreter, value) for value in indices]
    found = [part for part in parts if part is not None]
    taken = sum(len(part.shape) if part.what == "mask" else part.what not in ("none", "rest") for part in found)
    rests = [position for position, part in enumerate(found) if part.what == "rest"]
    if len(found) < len(parts) or len(rests) > 1 or taken > len(shape):
        return None
    whole = [_Part("slice", v.Slice(v.NONE, v.NONE, v.NONE))] * (len(shape) - taken)
    return found[: rests[0]] + whole + found[rests[0] + 1 :] if rests else found


def _part(interpreter: Interpreter, value: v.Value) -> _Part | None:
    kind = type(value)
    if kind is v.Slice:
        return _Part("slice", value)
    if kind is v.Const:
        if value.value is None:  # type: ignore[attr-defined]
            return _Part("none", value)
        if value.value is ...:  # type: ignore[attr-defined]
            return _Part("rest", value)
        return _Part("number", value) if type(value.value) is int else None  # type: ignore[attr-defined]
    if kind is v.Static:
        return _Part("number", value) if value.type == "int" else None  # type: ignore[attr-defined]
    if kind in (v.Array, v.Host):
        aval: v.Aval = value.aval  # type: ignore[attr-defined]
        if aval.dtype is None or aval.shape is None or not ("int" in aval.dtype or aval.dtype == "bool"):
            return None
        if aval.dtype == "bool":
            return _Part("mask", value, aval.shape) if aval.shape else None
        return _Part("array", value, aval.shape) if aval.shape else _Part("number", value)
    contents = interpreter.contents(value)
    if type(contents) is ListObject and contents.items and all(type(number(item)) is int for item in contents.items):
        return _Part("array", value, (len(contents.items),))
    return None


def _length(part: v.Value, size: v.Size | None) -> v.Size | None:
    """Length of a slice of an axis."""
    assert type(part) is v.Slice
    bounds = [part.lower, part.upper, part.step]
    open_ = [v.is_none(bound) for bound in bounds]
    if all(open_):
        return size
    found = [number(bound) for bound in bounds]
    known = all(isinstance(each, int) or left_out for each, left_out in zip(found, open_))
    if not known or not isinstance(size, int) or found[2] == 0:
        return None
    return len(range(*slice(*found).indices(size)))
