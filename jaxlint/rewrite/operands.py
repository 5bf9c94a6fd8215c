"""Source text made fit to stand in a rewrite.

``File.code`` gives an expression without the parentheses around it; what becomes of it depends on
where it is put.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Edit

_REPEATABLE = (ir.Compare, ir.Name, ir.Constant, ir.Attribute, ir.Slice, ir.Unary, ir.Binary, ir.Sequence, ir.Subscript)
_CLOSED = (ir.Name, ir.Call, ir.Subscript, ir.Attribute, ir.Dict)


def operand(file: File, site: int) -> str:
    """Text of an expression that can stand beside an operator or before ``.attribute``."""
    node = file.unit.nodes[site]
    closed = (
        isinstance(node, _CLOSED)
        or _in_brackets(node)
        or (isinstance(node, ir.Constant) and not isinstance(node.value, (int, float, complex, str, bytes)))
    )
    code = file.code(site)
    return code if closed else f"({code})"


def beside(file: File, site: int) -> str:
    """Text of an expression that can stand beside an operator that binds less than a sign and an attribute do."""
    return file.code(site) if isinstance(file.unit.nodes[site], ir.Constant) else operand(file, site)


def is_path(node: ir.Node, indices: tuple[type[ir.Node], ...] = ()) -> bool:
    """Whether this is a name, an attribute of one, or an element whose index is of one of some kinds."""
    while isinstance(node, (ir.Attribute, ir.Subscript)):
        if isinstance(node, ir.Subscript) and not isinstance(node.index, indices):
            return False
        node = node.value
    return isinstance(node, ir.Name)


def is_repeatable(node: ir.Node) -> bool:
    """Whether evaluating an expression or index twice gives the same and has no effect."""
    return isinstance(node, _REPEATABLE) and all(is_repeatable(child) for child in node.children())


def instead(file: File, site: int, place: int) -> str:
    """Text of an expression that takes the place of the one around it: in parentheses only where something stands beside it."""
    above = file.unit.parent(place)
    code = file.code(site)
    is_argument = isinstance(above, ir.Call) and any(each.site == place for each in above.args)
    alone = isinstance(above, (ir.Return, ir.Assign, ir.Evaluate)) or is_argument
    return argument(file, site) if alone and "\n" not in code else operand(file, site)


def argument(file: File, site: int) -> str:
    """Text of an expression that can stand as an argument of a call."""
    node = file.unit.nodes[site]
    bare = isinstance(node, (ir.Yield, ir.YieldFrom, ir.Walrus))
    bare |= isinstance(node, (ir.Sequence, ir.Comprehension)) and not _in_brackets(node)
    code = file.code(site)
    return f"({code})" if bare else code


def whole_span(file: File, site: int) -> tuple[int, int]:
    """Start and end of an expression with its parentheses, those of a tuple on lines of their own included."""
    start, end = file.outer_span(site)
    node, text = file.unit.nodes[site], file.source.text
    if isinstance(node, ir.Sequence) and node.kind == "tuple" and text[start] != "(":
        left, right = text[:start].rstrip(), text[end:].lstrip()
        if left.endswith("(") and right.startswith(")"):
            return len(left) - 1, len(text) - len(right) + 1
    return start, end


def in_parentheses(file: File, elements: Sequence[ir.Node]) -> tuple[Edit, Edit]:
    """The edits that make a tuple of neighbouring elements."""
    start, end = file.outer_span(elements[0].site)[0], file.outer_span(elements[-1].site)[1]
    return file.insert(start, "("), file.insert(end, ")")


def _in_brackets(node: ir.Node) -> bool:
    """Whether the text of a display holds its brackets: parentheses are not part of it."""
    return (isinstance(node, ir.Sequence) and node.kind != "tuple") or (
        isinstance(node, ir.Comprehension) and node.kind != "generator"
    )
