"""Arguments put into calls and taken out of them, and names of parameters in both."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import or_none, require
from jaxlint.source.diagnostic import Edit


def arguments_in_order(file: File, call: ir.Call) -> list[ir.Expression | ir.Keyword]:
    """The arguments of a call as they stand in the source."""
    return sorted((*call.args, *call.keywords), key=lambda each: file.span(each.site)[0])


def argument_text(file: File, call: ir.Call) -> str:
    """What stands between the parentheses of a call."""
    given = arguments_in_order(file, call)
    return file.source.text[file.outer_span(given[0].site)[0] : file.outer_span(given[-1].site)[1]] if given else ""


@or_none
def append_argument(file: File, call: ir.Call, code: str) -> Edit:
    """The edit that adds ``code`` after the last argument of a call; None after a bare generator expression."""
    given = arguments_in_order(file, call)
    if not given:
        return file.insert(file.span(call.site)[1] - 1, code)
    last = given[-1]
    require(not (isinstance(last, ir.Comprehension) and last.kind == "generator"))  # in parentheses of the call
    return file.insert(file.outer_span(last.site)[1], f", {code}")


def prepend_argument(file: File, call: ir.Call, code: str) -> Edit:
    """The edit that adds ``code`` before the first argument of a call."""
    given = arguments_in_order(file, call)
    start = file.outer_span(given[0].site)[0] if given else file.span(call.site)[1] - 1
    return file.insert(start, f"{code}, " if given else code)


def without_argument(file: File, node: ir.Node) -> Edit:
    """The edit that takes an argument of a call out, with the comma before it or, of the first, after it."""
    call = file.unit.parent(node.site)
    assert isinstance(call, ir.Call)
    spans = [file.outer_span(each.site) for each in arguments_in_order(file, call)]
    start, end = file.outer_span(node.site)
    at = next(number for number, span in enumerate(spans) if span[0] <= start < span[1])
    if at:
        return Edit(spans[at - 1][1], end, "")
    return Edit(start, spans[1][0] if len(spans) > 1 else end, "")


def renamed(file: File, node: ir.Parameter | ir.Keyword, name: str) -> Edit:
    """The edit that gives a parameter, or an argument that is passed by name, another name."""
    start = file.span(node.site)[0]
    return Edit(start, start + len(node.name or ""), name)


def with_element(file: File, elements: Sequence[ir.Expression], code: str) -> Edit:
    """The edit that adds ``code`` behind the elements of a tuple or list, and takes the comma there away."""
    end = file.outer_span(elements[-1].site)[1]
    comma = file.source.text[end : end + 1] == ","  # of a tuple of one
    return Edit(end, end + comma, f", {code}")
