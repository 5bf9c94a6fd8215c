"""Whether the branches of a choice may give values of one structure, shape and dtype, as JAX wants of them."""

from __future__ import annotations

import itertools

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.transforms.carries import shapes_differ
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import is_plain
from jaxlint.source.diagnostic import Applicability

_DTYPES = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64"}  # of Python's numbers

Side = list[ir.Node | None]  # what a branch may give; no expression where it cannot be said


def agreement(file: File, sides: list[Side]) -> Applicability | None:
    """Unsafe where nothing speaks against it, display where it is a guess, None where the branches are known to differ."""
    given = [each for side in sides for each in side]
    displays = [each for each in given if isinstance(each, (ir.Dict, ir.Sequence))]
    if not displays:
        level = _of_values([[value for each in side for value in _values(file, each)] for side in sides])
        copied = {_copied(file, each) for each in given}  # of one object they have one structure
        is_one = level is Applicability.DISPLAY and len(copied) == 1 and "" not in copied
        return Applicability.UNSAFE if is_one else level
    elements = [_elements(each) for each in given]
    first = _elements(displays[0])
    if first is None or None in elements:
        return Applicability.UNSAFE if len({type(each) for each in displays}) == 1 else None
    if any(each is not None and each.keys() != first.keys() for each in elements):
        return None
    levels = [agreement(file, [[(_elements(each) or {})[key] for each in side] for side in sides]) for key in first]
    if None in levels:
        return None
    return Applicability.DISPLAY if Applicability.DISPLAY in levels else Applicability.UNSAFE


def _copied(file: File, node: ir.Node | None) -> str:
    """The object of which an expression, or the value of a name, is a copy with other fields: `state.replace(…)`."""
    match resolved(file.unit, node) if node is not None else None:
        case ir.Call(func=ir.Attribute(value=value, attr="replace" | "_replace")):
            return file.code(value.site)
    return ""


def _elements(node: ir.Node | None) -> dict[object, ir.Expression] | None:
    """The elements of a display by where they are: its kind with their numbers, or the keys; None where that is not in the code."""
    match node:
        case ir.Dict(keys=keys, values=values) if all(isinstance(key, ir.Constant) for key in keys):
            return {key.value: value for key, value in zip(keys, values) if isinstance(key, ir.Constant)}
        case ir.Sequence(kind=kind, elements=elements) if is_plain(elements):
            return {(kind, number): each for number, each in enumerate(elements)}
    return None


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
