"""One more parameter for a function that the user wrote, passed by each of its calls in the file."""

from __future__ import annotations

import re
from collections.abc import Callable

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.calls import Change, is_closed, visible_calls
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import is_plain, known, or_none, require
from jaxlint.source.diagnostic import Edit

_BY_POSITION = ("positional-only", "ordinary")
# These pass on what they are given, by keyword too, and count the parameters from the front.
_THROUGH = ("jax.jit", "jax.checkpoint", "jax.remat", "jax.grad", "jax.value_and_grad")


@or_none
def add_parameter(
    file: File,
    function: ir.Function,
    name: str,
    argument: Callable[[ir.Call], str | None],
    shadows: bool = False,
    rebinds: bool = False,
) -> Change:
    """Edits that let ``function`` take ``name``, and pass ``argument(call)`` for it at each call.

    With ``shadows`` the function may read a variable of that name from outside, which the parameter
    replaces; with ``rebinds`` it may be a variable of the function, whose assignment the caller takes out.
    None where a call cannot be seen or ``argument`` gives None for it, where the function is
    used as a value or decorated with something else than a transform, and where the name is taken.
    """
    calls = known(visible_calls(file, function, _THROUGH))
    require(rebinds or name not in function.locals)
    require(shadows or name not in function.free)
    edit, kind = known(parameter(file, function, name))
    passed = [_passed(file, function, use.call, name, kind, known(argument(use.call))) for use in calls]
    return Change(in_order([edit, *passed]), is_closed(file, function))


@or_none
def parameter(file: File, function: ir.Function, name: str) -> tuple[Edit, str]:
    """The edit that adds a required parameter as the last one, and the kind it is of."""
    by_position = [each for each in function.parameters if each.kind in _BY_POSITION]
    others = [each for each in function.parameters if each.kind in ("star", "keyword-only")]
    if others:
        return file.insert(end_of_parameter(file, others[-1]), f", {name}"), "keyword-only"
    if not function.parameters:
        require(not function.is_lambda)
        head = re.compile(rf"\bdef\s+{re.escape(function.name)}\s*\(")
        start = known(head.search(file.source.text, file.span(function.site)[0])).end()
        return file.insert(start, name), "ordinary"
    require(by_position)  # not `**options` alone
    last = by_position[-1]
    if last.default is None:
        return file.insert(end_of_parameter(file, last), f", {name}"), last.kind
    require(last.kind == "ordinary")
    return file.insert(end_of_parameter(file, last), f", *, {name}"), "keyword-only"


def end_of_parameter(file: File, parameter: ir.Parameter) -> int:
    """Where a parameter ends, its annotation and default with it."""
    parts = [each for each in (parameter.default, parameter.annotation) if each is not None]
    if parts:
        return max(file.outer_span(each.site)[1] for each in parts)
    start, end = file.span(parameter.site)
    return start + file.source.text[start:end].index(parameter.name) + len(parameter.name)


def _passed(file: File, function: ir.Function, call: ir.Call, name: str, kind: str, code: str) -> Edit:
    """The edit that passes ``code``: by position where the call passes everything else so, else by keyword."""
    expected = sum(each.kind in _BY_POSITION for each in function.parameters) - function.is_method
    fits = not call.keywords and is_plain(call.args) and len(call.args) == expected
    require(fits or kind != "positional-only")
    return known(append_argument(file, call, code if fits and kind in _BY_POSITION else f"{name}={code}"))


@or_none
def append_argument(file: File, call: ir.Call, code: str) -> Edit:
    """The edit that adds ``code`` after the last argument of a call; None after a bare generator expression."""
    given = sorted((*call.args, *call.keywords), key=lambda each: file.span(each.site)[0])
    if not given:
        return file.insert(file.span(call.site)[1] - 1, code)
    last = given[-1]
    require(not (isinstance(last, ir.Comprehension) and last.kind == "generator"))  # in parentheses of the call
    return file.insert(file.outer_span(last.site)[1], f", {code}")
