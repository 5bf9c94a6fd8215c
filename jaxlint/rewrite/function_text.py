"""Source text of the functions that a transform is given, and of its options."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.domain.values import BoundMethod, FunctionValue, Partial, Transformed, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, defining_scope, held_by_object, only_result, parameter_of
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import expect, is_plain, known, only, or_none, plain_call, require
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


def made_of(file: File, node: ir.Node) -> ir.Call:
    """The call that makes the one value of a name, or of an attribute of the object."""
    made = held_by_object(file.unit, node) if isinstance(node, ir.Attribute) else bound_to(file.unit, node)
    return expect(ir.Call, made)


def class_named(file: File, name: str) -> ir.ClassDefinition:
    """The one class of a name in this file."""
    return only(each for each in file.unit.own if isinstance(each, ir.ClassDefinition) and each.name == name)


def methods_of(made: ir.ClassDefinition) -> dict[str, ir.Function]:
    """The methods that the body of a class defines, by name."""
    return {each.function.name: each.function for each in made.body if isinstance(each, ir.Define)}


def result_of(file: File, value: Value | None) -> ir.Expression:
    """What the function of a value returns, in one place. Raises NoFix where that cannot be said."""
    return known(only_result(known(definition(file, value))))


def return_instead(draft: Draft, value: ir.Node, text: str) -> None:
    """Returns ``text`` in the place of a value and of the parentheses around it."""
    scope = draft.file.unit.scope(value.site)
    bare_tuple = isinstance(scope, ir.Function) and scope.is_lambda and ", " in text
    draft.replace_whole(value.site, f"({text})" if bare_tuple else text)


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


@or_none
def application(file: File, made: Value) -> ir.Call:
    """The call that applies a transform; None where it stands elsewhere, or may be given several functions."""
    call = plain_call(file.unit.nodes[expect(Transformed, made).site])
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
