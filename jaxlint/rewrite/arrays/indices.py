"""What an index is made of: integers, slices, arrays, a mask."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Edit, ImportRequest

_REPEATABLE = (ir.Compare, ir.Name, ir.Constant, ir.Attribute, ir.Slice, ir.Unary, ir.Binary, ir.Sequence, ir.Subscript)


class Index:
    """The index of a subscript, judged part by part over every time the analysis came to it."""

    def __init__(self, file: File, node: ir.Node) -> None:
        parts = node.elements if isinstance(node, ir.Sequence) and node.kind == "tuple" else [node]
        kinds = {kind for part in parts for kind in _kinds(file, part)}
        self.is_mask = "mask" in kinds
        self.has_traced_bound = "traced bound" in kinds
        self.has_array = "array" in kinds
        self.is_integral = bool(kinds) and kinds <= {"integer", "slice", "array"}
        self.is_repeatable = is_repeatable(node)
        self.edits: list[Edit] = []
        self.imports: frozenset[ImportRequest] = frozenset()
        if isinstance(node, ir.Sequence) and node.kind == "list":  # `x.at[[0, 1]]` is refused
            start, end = file.span(node.site)
            array, self.imports = file.api("jax.numpy.array")
            self.edits = [Edit(start, start, f"{array}("), Edit(end, end, ")")]


def _kinds(file: File, part: ir.Node) -> set[str]:
    if isinstance(part, ir.Slice):
        bounds = [bound for bound in (part.lower, part.upper, part.step) if bound is not None]
        kinds = {kind for bound in bounds for kind in _kinds(file, bound)}
        values = [value for bound in bounds for value in file.values(bound.site)]
        if any(type(value) is v.Undecided or (type(value) is v.Array and value.cls in v.ABSTRACT) for value in values):
            return {"traced bound"}
        return {"slice"} if kinds <= {"integer", "slice"} else {"unknown"}
    return {_kind(value) for value in file.values(part.site)} or {"unknown"}


def _kind(value: v.Value) -> str:
    if type(value) is v.Const:
        if value.value is None or value.value is ...:
            return "slice"
        return "integer" if type(value.value) is int else "unknown"
    if type(value) is v.Static:
        return "integer" if value.type == "int" else "unknown"
    if isinstance(value, (v.Array, v.Host)):
        dtype = value.aval.dtype or ""
        if dtype == "bool":
            return "mask"
        if dtype.startswith(("int", "uint")):
            return "integer" if value.aval.shape == () else "array"
    return "unknown"


def is_repeatable(node: ir.Node) -> bool:
    """Whether evaluating an expression or index twice gives the same and has no effect."""
    return isinstance(node, _REPEATABLE) and all(is_repeatable(child) for child in node.children())


def text_of(file: File, subscript: ir.Subscript) -> str:
    """What stands between the brackets."""
    inside = file.source.text[file.outer_span(subscript.value.site)[1] : file.span(subscript.site)[1]]
    return inside.strip()[1:-1].strip()
