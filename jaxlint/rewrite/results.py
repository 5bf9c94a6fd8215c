"""One more result of a function that the user wrote, taken apart by each of its calls in the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target, own_returns
from jaxlint.rewrite.calls import Change, VisibleCall, is_closed, visible_calls
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, is_path
from jaxlint.rewrite.parameters import append_argument
from jaxlint.rewrite.requirements import expect, is_plain, known, or_none, parts_of, require
from jaxlint.rewrite.statements import free_name, line_end, stands_on_own_lines
from jaxlint.source.diagnostic import Edit

_THROUGH = ("jax.jit", "jax.checkpoint", "jax.remat", "jax.grad", "jax.value_and_grad", "jax.vmap")
_SIMPLE = (ir.Assign, ir.Augment, ir.Annotate, ir.Evaluate, ir.Return)
_EVALUATED_ONCE = (
    ir.Binary, ir.Unary, ir.Compare, ir.Call, ir.Keyword, ir.Subscript, ir.Attribute, ir.Sequence, ir.Dict,
)  # fmt: skip
_INERT = (ir.Name, ir.Constant, ir.Attribute, ir.Sequence)


class Receiver(NamedTuple):
    """What a call does with the further result: the target it is bound to, and a statement that comes next."""

    target: str
    after: str = ""


@or_none
def return_also(file: File, function: ir.Function, value: str, receive: Callable[[ir.Call], Receiver | None]) -> Change:
    """Edits that let ``function`` return ``value`` after what it returns, and each call receive it.

    ``value`` must be bound wherever the function returns. None where a call cannot be seen or
    ``receive`` gives None for it, and where a call stands in a place that cannot take two results.
    """
    calls = known(visible_calls(file, function, _THROUGH))
    with_aux = {any(_has_aux(made) for made in use.transforms) for use in calls}
    returned = known(returned_too(file, function, value, beside_aux=True in with_aux))
    statements = [file.unit.statement(use.call.site) for use in calls]
    # Of two calls in one statement the first comes first, whatever is made of them.
    require(len(with_aux) == 1 and not function.is_lambda and len(set(statements)) == len(statements))
    edits, has_value = list(returned[0]), returned[1]
    for made in {each.site: each for use in calls for each in use.transforms}.values():
        if _differentiates(file, made) and not _has_aux(made):
            edits.append(known(append_argument(file, made, "has_aux=True")))
    for use, statement in zip(calls, statements):
        edits += _received(file, use, statement, known(receive(use.call)), has_value)
    return Change(in_order(edits), is_closed(file, function))


def always_returns(body: list[ir.Statement]) -> bool:
    """Whether control never runs off the end of a block."""
    last = body[-1] if body else None
    if isinstance(last, ir.If):
        return bool(last.orelse) and always_returns(last.body) and always_returns(last.orelse)
    if isinstance(last, ir.With):
        return always_returns(last.body)
    return isinstance(last, (ir.Return, ir.Raise))


def return_parameter(file: File, function: ir.Function, name: str) -> Change | None:
    """Edits that let ``function`` return its parameter too, and each call bind what it passed for it anew."""

    def receive(call: ir.Call) -> Receiver | None:
        passed = passed_for(function, call, name)
        is_target = passed is not None and is_path(passed, (ir.Constant, ir.Name))
        return Receiver(file.code(passed.site)) if passed is not None and is_target else None

    if any(each.name == name and each.kind in ("star", "double-star") for each in function.parameters):
        return None
    return return_also(file, function, name, receive)


def passed_for(function: ir.Function, call: ir.Call, name: str) -> ir.Node | None:
    """The argument that a call of ``function`` passes for a parameter; None where that is not plain to see."""
    names = [each.name for each in function.parameters if each.kind in ("positional-only", "ordinary")]
    at = names.index(name) - function.is_method if name in names else len(call.args)
    return ir.given(call, at, name) if at >= 0 else None


def _has_aux(made: ir.Call) -> bool:
    """Whether a transform is told that the function returns something beside what is differentiated."""
    given = [each.value for each in made.keywords if each.name == "has_aux"]
    return bool(given) and expect(ir.Constant, given[0]).value is True


@or_none
def returned_too(file: File, function: ir.Function, value: str, beside_aux: bool = False) -> tuple[list[Edit], bool]:
    """Edits of the returns, and whether the function returned something before; ``beside_aux`` puts it into the second part."""
    returns = own_returns(function)
    values = [each.value for each in returns if each.value is not None and not ir.is_none(each.value)]
    if values:
        require(len(values) == len(returns) and always_returns(function.body))
        if beside_aux:
            return [_paired(file, parts_of(each, 2)[1], value) for each in values], True
        return [edit for each in values for edit in _with_second(file, each, value)], True
    edits = [file.replace(each.site, f"return {value}") for each in returns]
    if not always_returns(function.body):
        last = function.body[-1]
        require(stands_on_own_lines(file, last))
        end = line_end(file, file.span(last.site)[1])
        edits.append(file.insert(end, f"{file.source.newline}{file.indentation(function.body[0].site)}return {value}"))
    return edits, False


def _with_second(file: File, node: ir.Expression, second: str) -> list[Edit]:
    """The edits that make a pair of an expression and ``second``."""
    start, end = file.outer_span(node.site)
    text = file.source.text[start:end]
    bare = isinstance(node, ir.Sequence) and node.kind == "tuple" and not text.startswith("(")
    bare |= isinstance(node, (ir.Lambda, ir.Conditional, ir.Yield, ir.Starred)) and not text.startswith("(")
    if bare:
        return [file.insert(start, "("), file.insert(end, f"), {second}")]
    return [file.insert(end, f", {second}")]


def _paired(file: File, node: ir.Node, second: str) -> Edit:
    """A pair in the place of an expression."""
    return Edit(*file.outer_span(node.site), f"({argument(file, node.site)}, {second})")


def _differentiates(file: File, made: ir.Call) -> str:
    """The transform that gives a gradient which a call makes or binds; empty for any other."""
    names = file.api_names(made.func.site)
    if names == {"functools.partial"}:
        names = file.api_names(made.args[0].site)
    return next(iter(names & {"jax.grad", "jax.value_and_grad"}), "")


def _received(file: File, use: VisibleCall, statement: ir.Statement, receiver: Receiver, has_value: bool) -> list[Edit]:
    """Edits of one call and the statement around it."""
    call, second = use.call, receiver.target
    require(isinstance(statement, _SIMPLE) and stands_on_own_lines(file, statement))
    kinds = [kind for kind in (_differentiates(file, made) for made in use.transforms) if kind]
    require(not kinds or len(kinds) == 1 and has_value)
    with_gradient = kinds == ["jax.value_and_grad"]
    newline = f"{file.source.newline}{file.indentation(statement.site)}"
    edits: list[Edit] = []
    beside_aux = any(map(_has_aux, use.transforms))
    if receiver.after:
        edits.append(file.insert(line_end(file, file.span(statement.site)[1]), f"{newline}{receiver.after}"))
    if isinstance(statement, ir.Evaluate) and statement.value is call:
        require(not beside_aux)
        first = f"(_, {second}), _" if with_gradient else f"_, {second}"
        return [file.insert(file.span(call.site)[0], f"{first if has_value else second} = "), *edits]
    require(has_value)
    target = only_target(statement)
    if target is not None and getattr(statement, "value", None) is call:
        if beside_aux:
            pair = parts_of(target, 2)
            return [_paired(file, parts_of(pair[0], 2)[1] if with_gradient else pair[1], second), *edits]
        if not with_gradient:
            return [*_with_second(file, target, second), *edits]
        pair = expect(ir.Sequence, target).elements
        require(len(pair) == 2 and is_plain(pair[:1]))
        return [file.replace(pair[0].site, f"({file.code(pair[0].site)}, {second})"), *edits]
    require(
        not with_gradient
        and not beside_aux
        and _comes_first(file, call, statement)
        and "\n" not in file.code(call.func.site)
    )
    name = free_name(file, call.site, "result", "value", "output")
    lines = [f"{name}, {second} = {file.code(call.site)}", *([receiver.after] if receiver.after else []), ""]
    return [file.insert(file.span(statement.site)[0], newline.join(lines)), Edit(*file.outer_span(call.site), name)]


def _comes_first(file: File, call: ir.Call, statement: ir.Statement) -> bool:
    """Whether a statement evaluates ``call`` once, and before it nothing but names and constants."""
    if not isinstance(statement, (ir.Assign, ir.Evaluate, ir.Return)):
        return False
    node: ir.Node = call
    for above in file.unit.ancestors(call.site):
        if above is statement:
            return True
        if not isinstance(above, _EVALUATED_ONCE):
            return False
        start = file.span(node.site)[0]
        before = [each for each in above.children() if each is not node and file.span(each.site)[0] < start]
        if not all(isinstance(each, _INERT) for each in ir.walk(before)):
            return False
        node = above
    return False
