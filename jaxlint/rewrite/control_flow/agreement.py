"""Whether the branches of a choice may give values of one structure, shape and dtype, as JAX wants of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.transforms.carries import shapes_differ
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability

_DTYPES = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64"}  # of Python's numbers

Side = list[ir.Node | None]  # what a branch may give; no expression where it cannot be said


def agreement(file: File, sides: list[Side]) -> Applicability | None:
    """Unsafe where nothing speaks against it, display where it is a guess, None where the branches are known to differ.

    Where displays differ in the number of their leaves, the trial of the fix says so.
    """
    leaves = [[list(_leaves(each)) for each in side] for side in sides]
    counts = {len(each) for side in leaves for each in side}
    level = Applicability.UNSAFE
    for number in range(counts.pop() if len(counts) == 1 else 0):
        found = _of_leaves(file, [[each[number] for each in side] for side in leaves])
        if found is None:
            return None
        level = level.at_most(found)
    return level


def _leaves(node: ir.Node | None) -> Iterator[ir.Node | None]:
    """The expressions in a display, and in those within it, in the order of the code."""
    match node:
        case ir.Dict(values=parts) | ir.Sequence(elements=parts):
            for part in parts:
                yield from _leaves(part)
        case _:
            yield node


def _of_leaves(file: File, sides: list[Side]) -> Applicability | None:
    level = _of_values([[value for each in side for value in _values(file, each)] for side in sides])
    copied = {_copied(file, each) for side in sides for each in side}  # of one object they have one structure
    is_one = level is Applicability.DISPLAY and len(copied) == 1 and "" not in copied
    return Applicability.UNSAFE if is_one else level


def _copied(file: File, node: ir.Node | None) -> str:
    """The object of which an expression, or the value of a name, is a copy with other fields: `state.replace(…)`."""
    match resolved(file.unit, node) if node is not None else None:
        case ir.Call(func=ir.Attribute(value=value, attr="replace" | "_replace")):
            return file.code(value.site)
    return ""


def _values(file: File, node: ir.Node | None) -> list[v.Value]:
    return file.values(node.site) if isinstance(node, ir.Expression) else []


def _of_values(sides: list[list[v.Value]]) -> Applicability | None:
    level = Applicability.UNSAFE
    forms = []
    for side in sides:
        known = {_form(value) for value in side} - {None}
        if "other" in known or len(known) > 1:
            return None
        forms.append(known.pop() if known else None)
        if side and all(type(value) in (v.Unknown, v.Ref) for value in side):
            level = Applicability.DISPLAY
    dtypes = {form[0] if isinstance(form, tuple) else None for form in forms}
    shapes = {form[1] for form in forms if isinstance(form, tuple)} - {None}
    if len(dtypes - {None}) > 1 or any(shapes_differ(a, b) for a, b in itertools.combinations(shapes, 2)):
        return None
    if dtypes & {"int32", "bool"} and None in dtypes:
        return None  # a number may meet what turns out to be a float
    return level


def _form(value: v.Value) -> object:
    """Dtype and shape of a value; None where nothing is known, "other" for what is no array and no tuple of arrays."""
    if type(value) in (v.Const, v.Static):
        dtype = _DTYPES.get(v.python_type(value) or "")
        return (dtype, ()) if dtype else "other"
    if isinstance(value, (v.Array, v.Host)):
        return (value.aval.dtype, value.aval.shape)
    if isinstance(value, v.Tuple) and value.items is not None:
        inner = tuple(_form(item) for item in value.items)
        return "other" if "other" in inner else None
    return None if isinstance(value, (v.Undecided, v.Unknown, v.Ref)) else "other"
