"""Shapes that functions of JAX refuse to combine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.shapes.bound_arguments import Given, Shape, number, numbers, total
from jaxlint.analysis.shapes.creation import listed
from jaxlint.knowledge.axes import axes


@dataclass(frozen=True)
class Misfit:
    """Two shapes that do not fit, and what is done with them."""

    how: str  # what `ShapeMismatch` says
    first: v.Shape  # or the axis that is named, or the least and the greatest number of axes
    second: v.Shape
    operand: v.Value | None = None  # the second of them


def differ(m: object, n: object) -> bool:
    return isinstance(m, int) and isinstance(n, int) and m != n


def cannot_broadcast(first: Shape, second: Shape) -> bool:
    """Whether two shapes certainly cannot be broadcast."""
    if first is None or second is None:
        return False
    return any(differ(m, n) and 1 not in (m, n) for m, n in zip(reversed(first), reversed(second)))


def product(first: v.Shape, second: v.Shape) -> str | None:
    """What is wrong with the shapes of a matrix product."""
    if not first or not second:
        return "scalar"
    if differ(first[-1], second[-2] if len(second) > 1 else second[-1]):
        return "matmul"
    return "broadcast" if cannot_broadcast(first[:-2], second[:-2]) else None


def misfit(given: Given, name: str) -> Misfit | None:
    """The first shapes among the arguments that the function refuses; None where none are certain."""
    package, _, last = name.rpartition(".")
    law = _LAWS.get(last) if package in _PACKAGES else _OTHERS.get(name)
    if not given.known:
        return None
    return (law(given) if law is not None else None) or _measured(given, name)


def _measured(given: Given, name: str) -> Misfit | None:
    """What was measured of the axes that a function takes."""
    asked = axes(name)
    if asked is None or not given.operands:
        return None
    array = given.operands[0]
    items = given.i.items_of(array) if type(array) in (v.Tuple, v.Ref) else None
    part = items[0] if items else array
    if type(part) is not v.Array or part.aval.shape is None or part.aval.dtype in v.KEYS:
        return None
    shape, rank = part.aval.shape, len(part.aval.shape) + (part is not array)
    for parameter, more in asked.more.items():
        value = given.named.get(parameter)
        several = given.i.items_of(value) if value is not None else None
        if several and more > 0:
            continue  # each of them makes one more
        named = [number(each) for each in several or (value,)]
        for axis in named:
            if isinstance(axis, int) and not -(rank + more) <= axis < rank + more:
                return Misfit("axis", (axis,), shape, part)
    if part is not array:
        return None
    if rank < asked.least or asked.greatest is not None and rank > asked.greatest:
        return Misfit("rank", (asked.least, asked.greatest), shape, part)
    return Misfit("square", (), shape, part) if asked.square and differ(shape[-1], shape[-2]) else None


def _cannot_stretch(part: v.Shape, whole: v.Shape) -> bool:
    """Whether an array has an axis of another size than the shape that it is to take, and not of size 1."""
    return any(differ(m, n) and m != 1 for m, n in zip(reversed(part), reversed(whole)))


def set_at(shape: Shape, value: v.Value, update: v.Aval) -> Misfit | None:
    """What `.at[i].set` writes into a part of this shape."""
    if shape is None or update.shape is None:
        return None
    return Misfit("update", shape, update.shape, value) if _does_not_fill(update.shape, shape) else None


def _does_not_fill(part: v.Shape, whole: v.Shape) -> bool:
    """Whether an array cannot be broadcast to this very shape; leading axes of size 1 are dropped."""
    while len(part) > len(whole) and part[0] == 1:
        part = part[1:]
    if len(part) > len(whole):
        return isinstance(part[0], int)
    return _cannot_stretch(part, whole)


def _avals(given: Given, values: Sequence[v.Value]) -> list[tuple[v.Value, v.Shape]]:
    """The arrays among these whose shape is known."""
    found = []
    for value in values:
        aval = given.i.aval_of(value)
        if type(value) in (v.Array, v.Host, v.Const, v.Static) and aval.shape is not None and aval.dtype not in v.KEYS:
            found.append((value, aval.shape))
    return found


def _broadcast(given: Given, values: Sequence[v.Value]) -> Misfit | None:
    known = _avals(given, values)
    for position, (value, shape) in enumerate(known):
        for _, before in known[:position]:
            if cannot_broadcast(before, shape):
                return Misfit("broadcast", before, shape, value)
    return None


def _pair(given: Given) -> Misfit | None:
    return _broadcast(given, given.operands[:2]) if len(given.operands) == 2 else None


def _all(given: Given) -> Misfit | None:
    return _broadcast(given, given.operands)


def _clip(given: Given) -> Misfit | None:
    bounds = [given.named[name] for name in ("min", "max", "a_min", "a_max") if name in given]
    return _broadcast(given, [*given.operands[:1], *bounds])


def _two(given: Given, *names: str) -> tuple[v.Value, v.Shape, v.Shape] | None:
    """The second of two arrays, and the shapes of both."""
    second = given.operand(1, *names)
    if second is None or not given.operands:
        return None
    known = _avals(given, [given.operands[0], second])
    return (second, known[0][1], known[1][1]) if len(known) == 2 else None


def _matmul(given: Given) -> Misfit | None:
    pair = _two(given, "b", "x2")
    how = product(*pair[1:]) if pair is not None else None
    return Misfit(how, pair[1], pair[2], pair[0]) if pair is not None and how is not None else None


def _dot(given: Given) -> Misfit | None:
    pair = _two(given, "b", "rhs")
    if pair is None or not pair[1] or not pair[2]:
        return None
    value, first, second = pair
    inner = second[-2] if len(second) > 1 else second[-1]
    return Misfit("matmul", first, second, value) if differ(first[-1], inner) else None


def _inner(given: Given) -> Misfit | None:
    pair = _two(given, "b")
    if pair is None or not pair[1] or not pair[2] or not differ(pair[1][-1], pair[2][-1]):
        return None
    return Misfit("summed", pair[1], pair[2], pair[0])


def _vdot(given: Given) -> Misfit | None:
    pair = _two(given, "b")
    if pair is None or not differ(total(pair[1]), total(pair[2])):
        return None
    return Misfit("summed", pair[1], pair[2], pair[0])


def _tensordot(given: Given) -> Misfit | None:
    pair, axes = _two(given, "b"), given.operand(2, "axes") or v.Const(2)
    if pair is None:
        return None
    value, first, second = pair
    count = number(axes)
    if isinstance(count, int):
        if not 0 < count <= min(len(first), len(second)):
            return None
        sizes = list(zip(first[len(first) - count :], second[:count]))
    else:
        places = given.i.items_of(axes) if type(axes) in (v.Tuple, v.Ref) else None
        if places is None or len(places) != 2:
            return None
        left, right = given.axes(places[0], len(first)), given.axes(places[1], len(second))
        if left is None or right is None:
            return None
        sizes = [(first[m], second[n]) for m, n in zip(left, right)]
    return Misfit("summed", first, second, value) if any(differ(m, n) for m, n in sizes) else None


def _einsum(given: Given) -> Misfit | None:
    text, *operands = given.operands or [v.UNKNOWN]
    if type(text) is not v.Const or not isinstance(text.value, str):
        return None
    terms = text.value.replace(" ", "").partition("->")[0].split(",")
    if "." in text.value or len(terms) != len(operands):
        return None
    seen: dict[str, tuple[object, v.Shape]] = {}
    for term, value in zip(terms, operands):
        shape = given.i.aval_of(value).shape
        if shape is None or len(shape) != len(term):
            continue
        for label, size in zip(term, shape):
            before = seen.get(label)
            if before is not None and differ(before[0], size) and 1 not in (before[0], size):
                return Misfit("summed", before[1], shape, value)
            if before is None or before[0] in (None, 1):
                seen[label] = (size, shape)
    return None


def _parts(given: Given) -> list[tuple[v.Value, v.Shape]]:
    operand = given.operand(0, "arrays", "tup", "operands")
    items = given.i.items_of(operand) if operand is not None and type(operand) in (v.Tuple, v.Ref) else None
    return _avals(given, items or ())


def _end_to_end(parts: Sequence[tuple[v.Value, v.Shape]], axis: int | None) -> Misfit | None:
    """Arrays that are joined along one axis have as many axes, and one size along each of the others."""
    for (_, first), (value, second) in pairwise(parts):
        if len(first) != len(second):
            return Misfit("joined", first, second, value)
        if axis is None or not -len(first) <= axis < len(first):
            continue
        if any(differ(m, n) for place, (m, n) in enumerate(zip(first, second)) if place != axis % len(first)):
            return Misfit("joined", first, second, value)
    return None


def _axis(given: Given, default: int = 0) -> int | None:
    value = given.named.get("axis", given.named.get("dimension"))
    if value is None:
        return default
    axis = number(value)
    return axis if isinstance(axis, int) else None


def _concatenate(given: Given) -> Misfit | None:
    if "axis" in given.named and "axis" not in given:  # None: all of them flat
        return None
    parts = _parts(given)
    number = next((value for value, shape in parts if shape == ()), None)
    return _end_to_end(parts, _axis(given)) if number is None else Misfit("rank", (1, None), (), number)


def _stack(given: Given) -> Misfit | None:
    for (_, first), (value, second) in pairwise(_parts(given)):
        if len(first) != len(second) or any(map(differ, first, second)):
            return Misfit("stacked", first, second, value)
    return None


def _ragged(given: Given) -> Misfit | None:
    """Lists, or arrays in a list, of unequal lengths."""
    value = given.operand(0, "object", "a")
    if value is None or not given.i.is_list(value):
        return None
    shapes: list[tuple[v.Value, Shape]] = []
    for item in given.i.items_of(value) or ():
        aval = listed(given.i, item) if given.i.is_list(item) else given.i.aval_of(item)
        shapes.append((item, None if aval.dtype in v.KEYS else aval.shape))
    for (_, first), (item, second) in pairwise(shapes):
        if first is not None and second is not None:
            if len(first) != len(second) or any(map(differ, first, second)):
                return Misfit("ragged", first, second, item)
    return None


def _hstack(given: Given) -> Misfit | None:
    parts = [(value, shape or (1,)) for value, shape in _parts(given)]
    return _end_to_end(parts, 0 if parts and len(parts[0][1]) == 1 else 1)


def _vstack(given: Given) -> Misfit | None:
    return _end_to_end([(value, (1,) * (2 - len(shape)) + shape) for value, shape in _parts(given)], 0)


def _append(given: Given) -> Misfit | None:
    pair = _two(given, "values")
    if pair is None or "axis" not in given:
        return None
    return _end_to_end([(given.operands[0], pair[1]), (pair[0], pair[2])], _axis(given))


def _reshape(given: Given) -> Misfit | None:
    sizes = given.get("shape", "new_sizes", "newshape") or given.operand(1)
    if sizes is None or not given.operands or type(given.operands[0]) not in (v.Array, v.Host):
        return None
    if len(given.operands) > 2:
        asked = numbers(given.operands[1:])
    else:
        items = given.i.items_of(sizes) if type(sizes) in (v.Tuple, v.Ref) else [sizes]
        asked = numbers(items) if items is not None else None
    whole = total(given.first.shape or ()) if given.first.shape is not None else None
    if asked is None or not isinstance(whole, int) or asked.count(-1) > 1 or min(asked, default=0) < -1:
        return None
    rest = total(size for size in asked if size != -1)
    fits = rest and whole % rest == 0 if -1 in asked else whole == rest
    if fits or (not rest and -1 in asked):
        return None
    return Misfit("elements", given.first.shape or (), tuple(asked), given.operands[0])


def _broadcast_to(given: Given) -> Misfit | None:
    shape, target = given.first.shape, given.shape(given.operand(1, "shape"))
    if shape is None or target is None:
        return None
    if len(shape) <= len(target) and not _cannot_stretch(shape, target):
        return None
    return Misfit("broadcast", shape, target, given.operands[0])


def _select(given: Given) -> Misfit | None:
    cases = _avals(given, given.operands[1:3])
    if len(given.operands) != 3 or len(cases) != 2:
        return None
    (_, first), (value, second) = cases
    agree = len(first) == len(second) and not any(map(differ, first, second))
    return None if agree else Misfit("equal", first, second, value)


def _update_slice(given: Given) -> Misfit | None:
    pair = _two(given, "update")
    if pair is None:
        return None
    value, whole, part = pair
    larger = any(isinstance(m, int) and isinstance(n, int) and m > n for m, n in zip(part, whole))
    return Misfit("update", whole, part, value) if len(whole) != len(part) or larger else None


def _squeeze(given: Given) -> Misfit | None:
    shape = given.first.shape
    if given.i.condition is not None:
        return None  # which may ask for the size
    removed = given.axes(given.get("axis") or given.operand(1), len(shape) if shape is not None else None)
    if shape is None or removed is None or not any(differ(shape[axis], 1) for axis in removed):
        return None
    return Misfit("removed", next((axis,) for axis in removed if differ(shape[axis], 1)), shape, given.operands[0])


def _transpose(given: Given) -> Misfit | None:
    shape, order = given.first.shape, given.get("axes")
    items = given.operands[1:] if len(given.operands) > 2 else given.i.items_of(order) if order is not None else None
    found = numbers(items) if items else None
    if shape is None or found is None or len(found) == len(shape):
        return None
    return Misfit("order", tuple(found), shape, given.operands[0])


def _split(given: Given) -> Misfit | None:
    shape, parts = given.first.shape, number(given.operand(1, "indices_or_sections"))
    axis = given.axis(given.get("axis"), len(shape) if shape is not None else None, 0)
    if shape is None or axis is None or not isinstance(parts, int) or parts < 1:
        return None
    size = shape[axis]
    return Misfit("split", (parts,), shape, given.operands[0]) if isinstance(size, int) and size % parts else None


def _interp(given: Given) -> Misfit | None:
    points, values = given.aval(1, "xp").shape, given.aval(2, "fp").shape
    if points is None or values is None or len(points) != 1 or len(values) != 1 or not differ(points[0], values[0]):
        return None
    return Misfit("equal", points, values, given.operand(2, "fp"))


def _solve(given: Given) -> Misfit | None:
    pair = _two(given, "b")
    if pair is None or len(pair[1]) != 2 or len(pair[2]) not in (1, 2):
        return None
    return Misfit("matmul", pair[1], pair[2], pair[0]) if differ(pair[1][0], pair[2][0]) else None


def _solve_stacked(given: Given) -> Misfit | None:
    """Stacks of matrices: a right-hand side of more than one axis is a stack of matrices, too."""
    pair = _two(given, "b")
    if pair is None or len(pair[1]) < 3 or not pair[2]:
        return _solve(given)
    value, matrices, right = pair
    if differ(matrices[-1], right[-2] if len(right) > 1 else right[-1]):
        return Misfit("columns", matrices, right, value)
    return None


def _resize(given: Given) -> Misfit | None:
    """An image of another size has a size for each axis, those of the batch and of the channels too."""
    shape, asked = given.first.shape, given.shape(given.operand(1, "shape"))
    if shape is None or asked is None or len(shape) == len(asked):
        return None
    return Misfit("sizes", shape, asked, given.operands[0])


_PACKAGES = frozenset({"jax.numpy", "jax.Array"})
_PAIRS = (
    "add subtract multiply divide true_divide floor_divide mod remainder fmod power float_power maximum minimum fmax fmin"
    " arctan2 atan2 hypot logaddexp logaddexp2 copysign heaviside equal not_equal less less_equal greater greater_equal"
    " logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor isclose allclose"
).split()  # fmt: skip
_LAWS: dict[str, Callable[[Given], Misfit | None]] = {
    **dict.fromkeys(_PAIRS, _pair),
    "where": _all, "broadcast_arrays": _all, "clip": _clip, "matmul": _matmul, "dot": _dot, "inner": _inner,
    "vdot": _vdot, "tensordot": _tensordot, "einsum": _einsum, "concatenate": _concatenate, "concat": _concatenate,
    "array": _ragged, "asarray": _ragged, "stack": _stack, "hstack": _hstack, "vstack": _vstack, "append": _append, "reshape": _reshape,
    "broadcast_to": _broadcast_to, "interp": _interp, "squeeze": _squeeze, "transpose": _transpose, "split": _split,
}  # fmt: skip
_OTHERS: dict[str, Callable[[Given], Misfit | None]] = {
    "jax.numpy.linalg.solve": _solve_stacked, "jax.scipy.linalg.solve": _solve, "jax.lax.select": _select,
    "jax.image.resize": _resize, "jax.image.scale_and_translate": _resize,
    "jax.lax.dynamic_update_slice": _update_slice, "jax.lax.concatenate": _concatenate, "jax.lax.reshape": _reshape,
}  # fmt: skip
