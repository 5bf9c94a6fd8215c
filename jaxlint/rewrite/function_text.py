"""Source text of the functions that a transform is given: what they return, and how to call them differently."""

from __future__ import annotations

from jaxlint.analysis.domain.values import BoundMethod, FunctionValue, Partial, Transformed, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import known, only, or_none, require
from jaxlint.rewrite.statements import line_end, line_start, unused as unused
from jaxlint.source.diagnostic import Edit


def definition(file: File, value: Value | None) -> ir.Function | None:
    """The function of a value, where it is written in this file."""
    while isinstance(value, (BoundMethod, Partial, Transformed)):
        value = value.function
    if not isinstance(value, FunctionValue) or value.function.site not in file.unit:
        return None
    return value.function


def function_of(file: File, node: ir.Node) -> ir.Function | None:
    """The one function of this file that an expression stands for."""
    if isinstance(node, ir.Lambda):
        written: ir.Function = node.function
        return written
    found = {id(each): each for value in file.values(node.site) if (each := definition(file, value)) is not None}
    return next(iter(found.values())) if len(found) == 1 else None


def result_of(file: File, value: Value | None) -> ir.Expression:
    """What the function of a value returns, in one place. Raises NoFix where that cannot be said."""
    return known(only_result(known(definition(file, value))))


def returned(file: File, value: ir.Node, text: str) -> Edit:
    """The edit that returns ``text`` instead, in place of the parentheses around the value as well."""
    scope = file.unit.scope(value.site)
    bare_tuple = isinstance(scope, ir.Function) and scope.is_lambda and ", " in text
    return Edit(*file.outer_span(value.site), f"({text})" if bare_tuple else text)


@or_none
def without_decorator(file: File, function: ir.Function) -> Edit:
    """The edit that takes away the one decorator of a function, with its line; None where the line holds a comment."""
    start, end = file.span(only(function.decorators).site)
    first, last = line_start(file, start), line_end(file, end)
    require(file.source.text[first:start].strip() == "@" and not file.has_comment(first, last))
    return Edit(first, last + len(file.source.newline), "")


def names_in(node: ir.Node) -> set[str]:
    """Every name that is read, written or bound at or below a node."""
    found = set(ir.names_below([node]))
    for each in ir.walk([node]):
        if isinstance(each, (ir.Scope, ir.Comprehension)):
            found |= each.locals | getattr(each, "free", frozenset())
    return found


def lambda_parts(file: File, node: ir.Lambda) -> tuple[str, int]:
    """The text of the parameters of a lambda, and the offset at which its result starts."""
    start, _ = file.span(node.site)
    result = ir.result_of(node)
    inside, _ = file.outer_span(result.site)
    head = file.source.text[start:inside]
    return head[: head.rindex(":")].removeprefix("lambda").strip(), inside


def with_parameters(file: File, node: ir.Lambda, parameters: str) -> str:
    """The lambda with other parameters."""
    _, start = lambda_parts(file, node)
    return f"lambda {parameters}: {file.source.text[start : file.span(node.site)[1]]}"


@or_none
def substituted(file: File, node: ir.Node, texts: dict[str, str]) -> str:
    """Text of an expression with other text in the place of some names; None where a scope inside binds one of them."""
    start, end = file.outer_span(node.site)
    edits = []
    for each in ir.walk([node]):
        if isinstance(each, (ir.Scope, ir.Comprehension)):
            require(texts.keys().isdisjoint(each.locals))
        if isinstance(each, ir.Name) and each.id in texts:
            edits.append((*file.span(each.site), texts[each.id]))
    text = file.source.text[start:end]
    for left, right, new in sorted(edits, reverse=True):
        text = text[: left - start] + new + text[right - start :]
    return text


def called(file: File, node: ir.Node, arguments: str) -> str:
    """A call of the function that an expression stands for."""
    return f"{operand(file, node.site)}({arguments})"
