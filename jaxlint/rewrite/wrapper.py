"""A compiled function parted in two: what JAX traces gets a name of its own, and the old name a Python function around it.

Callers see no change; what has to happen at each call stands in the function around.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.calls import decorating_transforms, end_of_parameter, parameter, returned_too
from jaxlint.rewrite.draft import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import known, or_none, require
from jaxlint.rewrite.statements import free_name, line_end, removed
from jaxlint.source.diagnostic import Edit

_COMPILED = ("jax.jit", "equinox.filter_jit")


@dataclass
class Around:
    """What stands around the compiled function: statements, further arguments for it, targets of further results."""

    before: list[str] = field(default_factory=list)
    passed: dict[str, str] = field(default_factory=dict)  # new parameter of the compiled function -> its argument
    results: dict[str, str] = field(default_factory=dict)  # what the compiled function returns too -> the target
    after: list[str] = field(default_factory=list)


def can_be_wrapped(file: File, function: ir.Node, nested: bool = False) -> bool:
    """Whether this is a function that is compiled where it is defined, at module level or in a class, or ``nested``."""
    if not isinstance(function, ir.Function) or function.is_lambda or function.is_generator or function.is_async:
        return False
    scopes = [each for each in file.unit.ancestors(function.site) if isinstance(each, ir.Scope)]
    if not nested and any(isinstance(each, ir.Function) for each in scopes) or function.name in function.free:
        return False
    return bool(function.decorators) and decorating_transforms(file, function, _COMPILED) is not None


@or_none
def wrapped(file: File, function: ir.Function, around: Around, rebinds: bool = False) -> tuple[Edit, ...]:
    """Edits of the head, the parameters and the returns of ``function``, and the one that puts a function around it.

    With ``rebinds`` what is passed may have the name of a variable, whose assignment the caller takes out. None where a name is taken, or the function cannot return more.
    """
    text, newline = file.source.text, file.source.newline
    inner = _inner_name(file, function)
    head = known(re.compile(rf"\bdef\s+({re.escape(function.name)})\s*\(").search(text, file.span(function.site)[0]))
    taken = function.free if rebinds else function.locals | function.free
    require(len(around.passed) <= 1 and taken.isdisjoint(around.passed))
    edits = [Edit(*head.span(1), inner)]
    arguments = forwarded(function)
    for name, code in around.passed.items():
        edit, kind = known(parameter(file, function, name))
        edits.append(edit)
        arguments.append(f"{name}={code}" if kind == "keyword-only" or _by_keyword(arguments) else code)
    call = f"{inner}({', '.join(arguments)})"
    if function.is_method:
        require(function.parameters and function.parameters[0].name == "self")
        call = f"self.{call}"
    body = _body(file, function, around, call, edits)
    described = _docstring(file, function)
    if described is not None:
        body.insert(0, described[0])
        edits.append(described[1])
    indentation = file.indentation(function.body[0].site)
    outside = indentation[: len(file.indentation(function.site))]
    first_line = text.rfind("\n", 0, head.start()) + 1
    outside = text[first_line : head.start()] if not text[first_line : head.start()].strip() else outside
    blank = newline * (2 if outside else 3)
    annotation = f" -> {file.code(function.returns.site)}" if function.returns is not None else ""
    lines = [f"{blank}{outside}def {function.name}({signature(file, function)}){annotation}:"]
    lines += [f"{newline}{indentation}{line}" for line in body]
    if around.results and function.returns is not None:
        arrow = text.rfind("->", head.start(), file.span(function.returns.site)[0])
        edits.append(Edit(len(text[:arrow].rstrip()), file.outer_span(function.returns.site)[1], ""))
    edits.append(file.insert(line_end(file, file.span(function.body[-1].site)[1]), "".join(lines)))
    return in_order(edits)


def _docstring(file: File, function: ir.Function) -> tuple[str, Edit] | None:
    """The docstring, which callers read, and the edit that takes it out of the compiled function."""
    match function.body[0]:
        case ir.Evaluate(value=ir.Constant(value=str())) as first:
            gone = removed(file, first)
            return None if gone is None else (file.code(first.site), gone)
    return None


def signature(file: File, function: ir.Function) -> str:
    """The parameters as they are written, on one line."""
    parts: list[str] = []
    kinds = [each.kind for each in function.parameters]
    for number, each in enumerate(function.parameters):
        if each.kind == "keyword-only" and "star" not in kinds and "keyword-only" not in kinds[:number]:
            parts.append("*")
        start, end = file.span(each.site)
        begin = start + file.source.text[start:end].index(each.name)
        prefix = {"star": "*", "double-star": "**"}.get(each.kind, "")
        parts.append(prefix + " ".join(file.source.text[begin : end_of_parameter(file, each)].split()))
        if each.kind == "positional-only" and kinds[number + 1 : number + 2] != ["positional-only"]:
            parts.append("/")
    return ", ".join(parts)


def forwarded(function: ir.Function) -> list[str]:
    """Arguments that hand each parameter on, `self` left out."""
    named = {"star": "*{0}", "double-star": "**{0}", "keyword-only": "{0}={0}"}
    given = function.parameters[1:] if function.is_method else function.parameters
    return [named.get(each.kind, "{0}").format(each.name) for each in given]


def _by_keyword(arguments: list[str]) -> bool:
    return any("=" in argument or argument.startswith("*") for argument in arguments)


def _inner_name(file: File, function: ir.Function) -> str:
    name = "_" + function.name.strip("_")
    require(name != function.name and name not in file.unit.module.locals | function.free | function.locals)
    for each in file.unit.own:
        require(not (isinstance(each, ir.Attribute) and each.attr == name and function.is_method))
        require(not (isinstance(each, ir.Scope) and (each.name == name or name in each.locals)))
    return name


def _body(file: File, function: ir.Function, around: Around, call: str, edits: list[Edit]) -> list[str]:
    """Lines of the function around; adds to ``edits`` those of the returns inside."""
    if not around.results:
        return [*around.before, f"return {call}", *around.after]
    more, has_value = known(returned_too(file, function, ", ".join(around.results)))
    edits += more
    targets = ", ".join(around.results.values())
    if not has_value:
        return [*around.before, f"{targets} = {call}", *around.after]
    taken = {each.name for each in function.parameters} | set(around.results.values())
    free = free_name(file, function.body[0].site, "result")
    result = next(name for name in ("result", "value", "output", free) if name not in taken)
    return [*around.before, f"{result}, {targets} = {call}", *around.after, f"return {result}"]
