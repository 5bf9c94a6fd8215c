"""Arguments taken out of calls."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Edit


def without_argument(file: File, node: ir.Node) -> Edit:
    """The edit that takes an argument of a call out, with the comma before it or, of the first, after it."""
    call = file.unit.parent(node.site)
    assert isinstance(call, ir.Call)
    arguments = sorted((file.outer_span(each.site) for each in (*call.args, *call.keywords)), key=lambda span: span[0])
    start, end = file.outer_span(node.site)
    at = next(number for number, span in enumerate(arguments) if span[0] <= start < span[1])
    if at:
        return Edit(arguments[at - 1][1], end, "")
    return Edit(start, arguments[1][0] if len(arguments) > 1 else end, "")
