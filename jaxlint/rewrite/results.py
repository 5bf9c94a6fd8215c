"""One more result of a function that the user wrote, taken apart by each of its calls in the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target, own_returns
from jaxlint.rewrite.calls import Change, VisibleCall, is_closed, visible_calls
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.operands import is_path
from jaxlint.rewrite.parameters import append_argument
from jaxlint.rewrite.statements import free_name, line_end, stands_on_own_lines
from jaxlint.source.diagnostic import Edit

if TYPE_CHECKING:
    from jaxlint.rewrite.file import File

_THROUGH = ("jax.jit", "jax.checkpoint", "jax.remat", "jax.grad", "jax.value_and_grad", "jax.vmap")
_SIMPLE = (ir.Assign, ir.Augment, ir.Annotate, ir.Evaluate, ir.Return)
_EVALUATED_ONCE = (
    ir.Binary,
    ir.Unary,
    ir.Compare,
    ir.Call,
    ir.Keyword,
    ir.Subscript,
    ir.Attribute,
    ir.Sequence,
    ir.Dict,
)


class Receiver(NamedTuple):
    """What a call does with the further result: the target it is bound to, and a statement that comes next."""

    target: str
    after: str = ""


def return_also(
    file: File, function: ir.Function, value: str, receive: Callable[[ir.Call], Receiver | None]
) -> Change | None:
    """Edits that let ``function`` return ``value`` after what it returns, and each call receive it.

    ``value`` must be bound wherever the function returns. None where a call cannot be seen or
    ``receive`` gives None for it, and where a call stands in a place that cannot take two results.
    """
    calls = None if function.is_lambda else visible_calls(file, function, _THROUGH)
    returned = returned_too(file, function, value)
    if not calls or returned is None:
        return None
    edits, has_value = list(returned[0]), returned[1]
    statements = [file.unit.statement(use.call.site) for use in calls]
    if len({each.site for each in statements}) != len(statements):
        return None  # of two calls in one statement the first comes first, whatever is made of them
    for made in {each.site: each for use in calls for each in use.transforms}.values():
        outcome = _with_aux(file, made)
        if outcome is None:
            return None
        edits += outcome
    for use, statement in zip(calls, statements):
        receiver = receive(use.call)
        found = None if receiver is None else _received(file, use, statement, receiver, has_value)
        if found is None:
            return None
        edits += found
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
    for keyword in call.keywords:
        if keyword.name == name:
            value: ir.Expression = keyword.value
            return value
    if any(isinstance(each, ir.Starred) for each in call.args):
        return None
    names = [each.name for each in function.parameters if each.kind in ("positional-only", "ordinary")]
    at = names.index(name) - function.is_method if name in names else -1
    return call.args[at] if 0 <= at < len(call.args) else None


def returned_too(file: File, function: ir.Function, value: str) -> tuple[list[Edit], bool] | None:
    """Edits of the returns, and whether the function returned something before."""
    returns = own_returns(function)
    with_value = [each for each in returns if not (each.value is None or ir.is_none(each.value))]
    if with_value:
        if len(with_value) != len(returns) or not always_returns(function.body):
            return None
        return [edit for each in with_value if each.value for edit in _with_second(file, each.value, value)], True
    edits = [file.replace(each.site, f"return {value}") for each in returns]
    if not always_returns(function.body):
        last = function.body[-1]
        if not stands_on_own_lines(file, last):
            return None
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


def _transform(file: File, made: ir.Call) -> set[str]:
    """Names of the transform that a call makes or binds."""
    names = file.api_names(made.func.site)
    return file.api_names(made.args[0].site) if names == {"functools.partial"} else names


def _differentiates(file: File, made: ir.Call) -> str | None:
    names = _transform(file, made) & {"jax.grad", "jax.value_and_grad"}
    return next(iter(names), None)


def _with_aux(file: File, made: ir.Call) -> list[Edit] | None:
    """The edit that tells a gradient of the further result; none for other transforms."""
    if _differentiates(file, made) is None:
        return []
    if any(keyword.name == "has_aux" for keyword in made.keywords):
        return None
    edit = append_argument(file, made, "has_aux=True")
    return None if edit is None else [edit]


def _received(
    file: File, use: VisibleCall, statement: ir.Statement, receiver: Receiver, has_value: bool
) -> list[Edit] | None:
    """Edits of one call and the statement around it."""
    call = use.call
    if not isinstance(statement, _SIMPLE) or not stands_on_own_lines(file, statement):
        return None
    kinds = [kind for kind in (_differentiates(file, made) for made in use.transforms) if kind]
    if len(kinds) > 1 or (kinds and not has_value):
        return None
    kind = kinds[0] if kinds else ""
    edits: list[Edit] = []
    if receiver.after:
        end = line_end(file, file.span(statement.site)[1])
        edits.append(file.insert(end, f"{file.source.newline}{file.indentation(statement.site)}{receiver.after}"))
    value = getattr(statement, "value", None)
    if isinstance(statement, ir.Evaluate) and statement.value is call:
        pair = receiver.target if not has_value else f"{_first(kind, '_', receiver.target)}"
        return [file.insert(file.span(call.site)[0], f"{pair} = "), *edits]
    if not has_value:
        return None
    assigned = only_target(statement)
    if value is call and assigned is not None:
        target = _target(file, assigned, kind, receiver.target)
        return None if target is None else [target, *edits]
    if kind == "jax.value_and_grad" or not _comes_first(file, call, statement):
        return None
    name = free_name(file, call.site, "result", "value", "output")
    text = file.code(call.site)
    if "\n" in file.code(call.func.site):
        return None
    indentation = file.indentation(statement.site)
    above = f"{name}, {receiver.target} = {text}{file.source.newline}{indentation}"
    if receiver.after:
        above += f"{receiver.after}{file.source.newline}{indentation}"
    return [file.insert(file.span(statement.site)[0], above), Edit(*file.outer_span(call.site), name)]


def _first(kind: str, first: str, second: str) -> str:
    return f"({first}, {second}), _" if kind == "jax.value_and_grad" else f"{first}, {second}"


def _target(file: File, target: ir.Node, kind: str, second: str) -> Edit | None:
    """The edit that lets an assignment take the further result too."""
    start, end = file.outer_span(target.site)
    text = file.source.text[start:end]
    is_tuple = isinstance(target, ir.Sequence) and target.kind == "tuple"
    if kind == "jax.value_and_grad":
        if (
            not isinstance(target, ir.Sequence)
            or len(target.elements) != 2
            or isinstance(target.elements[0], ir.Starred)
        ):
            return None
        first = target.elements[0]
        return file.replace(first.site, f"({file.code(first.site)}, {second})")
    return Edit(start, end, f"({text}), {second}" if is_tuple and not text.startswith("(") else f"{text}, {second}")


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
        for sibling in above.children():
            if sibling is not node and file.span(sibling.site)[0] < start:
                if not all(
                    isinstance(each, (ir.Name, ir.Constant, ir.Attribute, ir.Sequence)) for each in ir.walk([sibling])
                ):
                    return False
        node = above
    return False
