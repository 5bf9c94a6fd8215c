"""The options of a transform as the source writes them: which entries there are, and edits that write others."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.domain.values import Transformed, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, parameter_of
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, or_none, require
from jaxlint.source.diagnostic import Edit


@or_none
def application(file: File, made: Value) -> ir.Call:
    """The call that applies a transform; None where it stands elsewhere, or may be given several functions."""
    site = expect(Transformed, made).site
    require(site in file.unit)
    call = expect(ir.Call, file.unit.nodes[site])
    require(is_plain(call.args) and all(keyword.name is not None for keyword in call.keywords))
    function = call.args[0] if call.args else None
    if isinstance(function, ir.Name):
        scope = defining_scope(file.unit, function.site, function.id)
        require(scope is None or parameter_of(scope, function.id) is None)
    return call


def value_of(call: ir.Call, option: str, position: int | None = None) -> ir.Expression | None:
    """What a call gives for an option, by name or by position."""
    return ir.given(call, len(call.args) if position is None else position, option)


def entries_of(file: File, value: ir.Node) -> list[str] | None:
    """The entries of a tuple or list that is written out, as text; None for anything else."""
    if not isinstance(value, ir.Sequence) or value.kind == "set" or not is_plain(value.elements):
        return None
    return [written(file, element) for element in value.elements]


def written(file: File, node: ir.Node) -> str:
    """Text of an expression as it stands, with the parentheses of a tuple."""
    code = file.code(node.site)
    return f"({code})" if isinstance(node, ir.Sequence) and node.kind == "tuple" else code


def tuple_text(entries: Sequence[str]) -> str:
    return f"({entries[0]},)" if len(entries) == 1 else f"({', '.join(entries)})"


def rewritten(file: File, value: ir.Node, text: str) -> Edit:
    """The edit that puts ``text`` in the place of an expression and of the parentheses around it."""
    return Edit(*_whole(file, value), text)


def _whole(file: File, value: ir.Node) -> tuple[int, int]:
    """Start and end of an expression with its parentheses, those of a tuple on lines of their own included."""
    start, end = file.outer_span(value.site)
    if isinstance(value, ir.Sequence) and value.kind == "tuple" and file.source.text[start] != "(":
        left, right = file.source.text[:start].rstrip(), file.source.text[end:].lstrip()
        if left.endswith("(") and right.startswith(")"):
            return len(left) - 1, len(file.source.text) - len(right) + 1
    return start, end


def added(file: File, call: ir.Call, text: str) -> Edit:
    """The edit that writes one more argument at the end of a call."""
    last = [*call.args, *call.keywords][-1:]
    end = file.outer_span(last[0].site)[1] if last else file.span(call.site)[1] - 1
    return file.insert(end, (", " if last else "") + text)
