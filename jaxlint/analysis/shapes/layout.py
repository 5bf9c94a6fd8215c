"""Shapes of what functions give that move, join, repeat or take apart arrays and compute nothing."""

from __future__ import annotations

from collections.abc import Callable

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.promotion import broadcast, combined, is_inexact
from jaxlint.analysis.shapes.bound_arguments import Given, Shape, added, number, numbers, total


def reshaped(given: Given) -> v.Aval:
    first = given.first
    sizes = given.get("shape", "new_sizes", "newshape") or given.operand(1)
    if len(given.operands) > 2 and given.call.args:  # `x.reshape(2, 3)`
        asked = [number(size) for size in given.operands[1:]]
    else:
        items = None if sizes is None else given.i.items_of(sizes) if type(sizes) in (v.Tuple, v.Ref) else [sizes]
        if items is None or any(type(item) not in (v.Const, v.Static) for item in items):
            return first.shaped(None)
        asked = [number(item) for item in items]
    if "dimensions" in given:
        return first.shaped(None)
    if -1 in asked:
        rest = total(size for size in asked if size != -1)
        whole = total(first.shape) if first.shape is not None else None
        size = whole // rest if isinstance(whole, int) and rest and whole % rest == 0 else None
        asked = [size if each == -1 else each for each in asked]
    elif None in asked and asked.count(None) == 1 and first.shape is not None:
        rest, whole = total(size for size in asked if size is not None), total(first.shape)
        if whole and rest and whole % rest == 0:  # what is not known is what is left
            asked = [whole // rest if each is None else each for each in asked]
    return first.shaped(tuple(asked))


def raveled(given: Given) -> v.Aval:
    shape = given.first.shape
    return given.first.shaped((None if shape is None else total(shape),))


def same(given: Given) -> v.Aval:
    return given.first


def transposed(given: Given) -> v.Aval:
    shape = given.first.shape
    if shape is None:
        return given.first
    axes = given.get("axes", "permutation") or given.operand(1)
    if len(given.operands) > 2:  # `x.transpose(1, 0)`
        order = numbers(given.operands[1:])
    elif axes is None or v.is_none(axes):
        return given.first.shaped(tuple(reversed(shape)))
    else:
        items = given.i.items_of(axes)
        order = numbers(items) if items is not None else None
    if order is None or sorted(axis % len(shape) if shape else 0 for axis in order) != list(range(len(shape))):
        return given.first.shaped((None,) * len(shape))
    return given.first.shaped(tuple(shape[axis] for axis in order))


def matrix_transposed(given: Given) -> v.Aval:
    shape = given.first.shape
    return given.first.shaped(None if shape is None or len(shape) < 2 else (*shape[:-2], shape[-1], shape[-2]))


def axes_swapped(given: Given) -> v.Aval:
    shape = given.first.shape
    if shape is None:
        return given.first
    a, b = (given.axis(given.operand(n, f"axis{n}"), len(shape)) for n in (1, 2))
    if a is None or b is None:
        return given.first.shaped((None,) * len(shape))
    sizes = list(shape)
    sizes[a], sizes[b] = sizes[b], sizes[a]
    return given.first.shaped(tuple(sizes))


def axis_moved(given: Given) -> v.Aval:
    shape = given.first.shape
    if shape is None:
        return given.first
    sources = given.axes(given.operand(1, "source"), len(shape))
    targets = given.axes(given.operand(2, "destination"), len(shape))
    if sources is None or targets is None or len(sources) != len(targets):
        return given.first.shaped((None,) * len(shape))
    order = [axis for axis in range(len(shape)) if axis not in sources]
    for target, source in sorted(zip(targets, sources)):
        order.insert(target, source)
    return given.first.shaped(tuple(shape[axis] for axis in order))


def expanded(given: Given) -> v.Aval:
    shape = given.first.shape
    value = given.operand(1, "axis", "dimensions")
    if shape is None or value is None:
        return given.first.shaped(None)
    items = [value] if v.python_type(value) == "int" else given.i.items_of(value)
    if items is None:
        return given.first.shaped(None)
    rank = len(shape) + len(items)
    axes = given.axes(value, rank)
    if axes is None:
        return given.first.shaped((None,) * rank)
    rest = list(shape)
    return given.first.shaped(tuple(1 if axis in axes else rest.pop(0) for axis in range(rank)))


def squeezed(given: Given) -> v.Aval:
    shape = given.first.shape
    value = given.operand(1, "axis", "dimensions")
    if shape is None:
        return given.first
    if value is None or v.is_none(value):
        if any(not isinstance(size, int) for size in shape):
            return given.first.shaped(None)
        return given.first.shaped(tuple(size for size in shape if size != 1))
    axes = given.axes(value, len(shape))
    if axes is None:
        return given.first.shaped(None)
    return given.first.shaped(tuple(size for axis, size in enumerate(shape) if axis not in axes))


def _parts(given: Given) -> list[v.Aval] | None:
    items = given.items(given.operand(0, "arrays", "tup", "operands"))
    return None if not items else [given.i.aval_of(item) for item in items]


def _joined(given: Given, parts: list[v.Aval], shape: Shape) -> v.Aval:
    if "dtype" in given:
        return v.Aval(given.dtype(), shape)
    if all(part.dtype == v.TYPED_KEY for part in parts):
        return v.Aval(v.TYPED_KEY, shape)
    dtype, weak = combined(parts)
    return v.Aval(dtype, shape, weak)


def stacked(given: Given) -> v.Aval:
    parts = _parts(given)
    count = None if parts is None else len(parts)
    if parts is None:
        operand = given.operand(0, "arrays")
        element = None if operand is None else given.i.list_element(operand)
        if element is None:
            return v.ANY
        parts = [given.i.aval_of(element)]
    shape = common([part.shape for part in parts])
    axis = None if shape is None else given.axis(given.get("axis"), len(shape) + 1, 0)
    if shape is not None:
        unknown = (None,) * (len(shape) + 1)
        shape = unknown if axis is None else (*shape[:axis], count, *shape[axis:])
    if axis == 0 and all(part.dtype in v.KEYS for part in parts):  # the words of legacy keys come after
        return v.Aval(parts[0].dtype if len({part.dtype for part in parts}) == 1 else "key", shape)
    return _joined(given, parts, shape)


def concatenated(given: Given) -> v.Aval:
    parts = _parts(given)
    if parts is None:
        return v.ANY
    if "axis" in given.named and "axis" not in given:  # None: all of them flat
        flat = [total(part.shape) if part.shape is not None else None for part in parts]
        return _joined(given, parts, (added(flat),))
    return _joined(given, parts, _end_to_end(given, [part.shape for part in parts], given.get("axis", "dimension"), 0))


def appended(given: Given) -> v.Aval:
    operands = given.operand(0, "arr"), given.operand(1, "values")
    parts = [given.i.aval_of(operand) for operand in operands if operand is not None]
    if len(parts) != 2:
        return v.ANY
    if "axis" not in given:  # both of them flat
        sizes = [total(part.shape) if part.shape is not None else None for part in parts]
        return _joined(given, parts, (added(sizes),))
    return _joined(given, parts, _end_to_end(given, [part.shape for part in parts], given.get("axis"), 0))


def _end_to_end(given: Given, shapes: list[Shape], axis: v.Value | None, default: int) -> Shape:
    ranks = {len(shape) if shape is not None else None for shape in shapes}
    known = ranks - {None}
    if len(known) != 1:
        return None
    rank = known.pop()
    assert rank is not None
    place = given.axis(axis, rank, default)
    full = [shape if shape is not None else (None,) * rank for shape in shapes]
    if place is None:
        return (None,) * rank
    sizes = [next((s[n] for s in full if s[n] is not None), None) for n in range(rank)]
    sizes[place] = added(shape[place] for shape in full)
    return tuple(sizes)


def hstacked(given: Given) -> v.Aval:
    parts = _parts(given)
    if parts is None or any(part.shape is None for part in parts):
        return v.ANY if parts is None else _joined(given, parts, None)
    shapes: list[Shape] = [part.shape or (1,) for part in parts]
    return _joined(given, parts, _end_to_end(given, shapes, None, 0 if len(shapes[0] or ()) == 1 else 1))


def vstacked(given: Given) -> v.Aval:
    parts = _parts(given)
    if parts is None or any(part.shape is None for part in parts):
        return v.ANY if parts is None else _joined(given, parts, None)
    shapes: list[Shape] = [(1,) * (2 - len(part.shape or ())) + (part.shape or ()) for part in parts]
    return _joined(given, parts, _end_to_end(given, shapes, None, 0))


def common(shapes: list[Shape]) -> Shape:
    """The shape that all of these have, from what is known of each."""
    known = [shape for shape in shapes if shape is not None]
    if len({len(shape) for shape in known}) != 1:
        return None
    return tuple(next((size for size in sizes if size is not None), None) for sizes in zip(*known))


def broadcast_to(given: Given) -> v.Aval:
    return given.first.shaped(given.shape(given.operand(1, "shape")))


def resized(given: Given) -> v.Aval:
    """An image of another size, which most methods make one of floats."""
    aval = broadcast_to(given)
    return aval if aval.dtype is not None and is_inexact(aval.dtype) else v.Aval(None, aval.shape)


def repeated(given: Given) -> v.Aval:
    shape, count = given.first.shape, given.operand(1, "repeats")
    flat = "axis" not in given
    if flat:
        shape = (None if shape is None else total(shape),)
    axis = 0 if flat else given.axis(given.get("axis"), len(shape) if shape is not None else None)
    if shape == ():
        shape, axis = (1,), 0
    if shape is None or axis is None:
        return given.first.shaped(None)
    size = number(given.get("total_repeat_length"))
    times, length = number(count), shape[axis]
    if size is None and isinstance(times, int) and isinstance(length, int):
        size = length * times
    return given.first.shaped((*shape[:axis], size, *shape[axis + 1 :]))


def tiled(given: Given) -> v.Aval:
    shape = given.first.shape
    reps = given.operand(1, "reps")
    counts = [reps] if type(reps) in (v.Const, v.Static) else given.i.items_of(reps) if reps is not None else None
    if shape is None or counts is None:
        return given.first.shaped(None)
    rank = max(len(shape), len(counts))
    sizes = (1,) * (rank - len(shape)) + tuple(shape)
    times = [1] * (rank - len(counts)) + [number(count) for count in counts]
    return given.first.shaped(tuple(total(pair) for pair in zip(sizes, times)))


def padded(given: Given) -> v.Aval:
    shape, width = given.first.shape, given.operand(1, "pad_width")
    if shape is None or width is None:
        return given.first.shaped(None)
    unknown = given.first.shaped((None,) * len(shape))
    if isinstance(number(width), int):
        pairs = [(number(width),) * 2] * len(shape)
    else:
        rows = given.i.items_of(width) if type(width) in (v.Tuple, v.Ref) else None
        inner = [given.i.items_of(row) if type(row) in (v.Tuple, v.Ref) else [row] for row in rows or ()]
        read = [numbers(row) if row is not None else None for row in inner]
        if not read or any(row is None for row in read):
            return unknown
        flat = [row for row in read if row is not None]
        if len(flat) == 2 and all(len(row) == 1 for row in flat):  # one pair for all
            pairs = [(flat[0][0], flat[1][0])] * len(shape)
        elif len(flat) in (1, len(shape)) and all(len(row) == 2 for row in flat):
            pairs = [(row[0], row[1]) for row in (flat if len(flat) == len(shape) else flat * len(shape))]
        else:
            return unknown
    return given.first.shaped(tuple(added((size, before, after)) for size, (before, after) in zip(shape, pairs)))


def at_least(rank: int) -> Callable[[Given], v.Aval]:
    def shape(given: Given) -> v.Aval:
        known = given.first.shape
        if len(given.operands) != 1 or known is None or (rank == 3 and len(known) in (1, 2)):
            return v.ANY
        return given.first.shaped((1,) * (rank - len(known)) + tuple(known))

    return shape


def diagonal_of(given: Given) -> v.Aval:
    shape, offset = given.first.shape, number(given.operand(1, "k") or v.Const(0))
    if shape is None or len(shape) not in (1, 2):
        return given.first.shaped(None)
    if len(shape) == 1:
        size = added((shape[0], abs(offset))) if isinstance(offset, int) else None
        return given.first.shaped((size, size))
    if not isinstance(offset, int) or not all(isinstance(size, int) for size in shape):
        return given.first.shaped((None,))
    rows, columns = shape[0] + min(offset, 0), shape[1] - max(offset, 0)  # type: ignore[operator]
    return given.first.shaped((max(0, min(rows, columns)),))


def ordered(given: Given) -> v.Aval:
    """`sort`, `roll`: without an axis the array is flat; `roll` gives it its shape back."""
    return raveled(given) if "axis" in given.named and "axis" not in given else given.first


# --- functions that give several arrays ---------------------------------------------------------


def split(given: Given) -> list[v.Aval] | None:
    shape = given.first.shape
    parts = given.operand(1, "indices_or_sections")
    axis = given.axis(given.get("axis"), len(shape) if shape is not None else None, 0)
    if parts is None:
        return None
    sizes: list[int | None]
    count = number(parts)
    if isinstance(count, int):
        if not 0 < count <= 64:
            return None
        sizes = [None] * count
        if shape is not None and axis is not None and isinstance(length := shape[axis], int):
            even, left = divmod(length, count)
            sizes = [*[even + 1] * left, *[even] * (count - left)]
    else:
        items = given.i.items_of(parts) if type(parts) in (v.Tuple, v.Ref) else None
        if items is None:
            return None
        places = numbers(items)
        sizes = [None] * (len(items) + 1)
        size = shape[axis] if shape is not None and axis is not None else None
        if (
            places is not None
            and isinstance(size, int)
            and all(0 <= p <= size for p in places)
            and places == sorted(places)
        ):
            sizes = [end - start for start, end in zip([0, *places], [*places, size])]
    if shape is None:
        return [given.first] * len(sizes)
    if axis is None:
        return [given.first.shaped((None,) * len(shape))] * len(sizes)
    return [given.first.shaped((*shape[:axis], size, *shape[axis + 1 :])) for size in sizes]


def unstacked(given: Given) -> list[v.Aval] | None:
    shape = given.first.shape
    axis = given.axis(given.get("axis"), len(shape) if shape is not None else None, 0)
    if not shape or axis is None or not isinstance(size := shape[axis], int) or size > 64:
        return None
    return [given.first.shaped((*shape[:axis], *shape[axis + 1 :]))] * size


def mesh(given: Given) -> list[v.Aval] | None:
    """`meshgrid`: with the indexing of Cartesian coordinates the first two axes change places."""
    avals = [given.i.aval_of(value) for value in given.operands]
    indexing = given.named.get("indexing", v.Const("xy"))
    if not avals or "sparse" in given or type(indexing) is not v.Const:
        return None
    sizes = [aval.shape[0] if aval.shape is not None and len(aval.shape) == 1 else None for aval in avals]
    if indexing.value == "xy" and len(sizes) > 1:
        sizes[:2] = sizes[1::-1]
    return [aval.shaped(tuple(sizes)) for aval in avals]


def broadcast_together(given: Given) -> list[v.Aval] | None:
    avals = [given.i.aval_of(value) for value in given.operands]
    shape: Shape = ()
    for aval in avals:
        shape = broadcast(shape, aval.shape)
    return [aval.shaped(shape) for aval in avals] or None
