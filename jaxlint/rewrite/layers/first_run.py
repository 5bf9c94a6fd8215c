"""Rewrites that make the parameters of layers before a loop or branch that cannot make them."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.domain.values import Api, BoundMethod, FunctionValue
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import displayed
from jaxlint.rewrite import operands
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest

_TITLE, _CHANGES = "Make the parameters before, while `init` runs", "`init` calls each of the functions once"


def body_first(file: File, site: int, used: int, name: str | None = None) -> Fix | None:
    """`if hk.running_init(): return body(x)` above `return hk.while_loop(cond, body, x)`.

    ``name`` is Haiku's function where the call is one of JAX's. What is bound and not returned is a
    conditional expression.
    """
    call, statement = file.unit.nodes[site], file.unit.statement(site)
    if (
        not isinstance(call, ir.Call)
        or len(call.args) != 3
        or call.keywords
        or any(isinstance(a, ir.Starred) for a in call.args)
    ):
        return None
    condition, body, start = call.args
    if any(node.site == used for node in ir.walk([condition])):
        return None  # the condition would have to run as well
    name_of_running, imports = file.api("haiku.running_init")
    running = f"{name_of_running}()"
    run = f"{callee(file, body)}({operands.argument(file, start.site)})"
    edits: list[Edit] = []
    if name is not None:
        loop, more = file.api(name)
        edits.append(file.replace(call.func.site, loop))
        imports |= more
    if not isinstance(statement, (ir.Return, ir.Assign)) or statement.value is not call or "\n" in run:
        return None
    if isinstance(statement, ir.Return):
        above = _above(file, statement, running, [f"return {run}"])
        if above is None:
            return None
        edits.insert(0, above)
    else:
        begin, end = file.outer_span(site)
        if "\n" in file.source.text[begin:end]:
            return None
        edits.insert(0, file.insert(begin, f"{run} if {running} else "))
    return Fix(_TITLE, tuple(edits), imports=imports, changes=_CHANGES)


def branches_first(file: File, site: int, running: str, imports: frozenset[ImportRequest]) -> Fix | None:
    """Each layer that a branch calls is called once above, while ``running`` says that `init` runs."""
    found = _branches(file, site)
    return (
        None if found is None else called_first(file, site, [(each, found[1]) for each in found[0]], running, imports)
    )


def _branches(file: File, site: int) -> tuple[Sequence[ir.Node], Sequence[ir.Node]] | None:
    """The functions of a `cond` or `switch`, and what they are given."""
    call = file.unit.nodes[site]
    if (
        not isinstance(call, ir.Call)
        or call.keywords
        or any(isinstance(a, ir.Starred) for a in call.args)
        or len(call.args) < 2
    ):
        return None
    branches = displayed(file.unit, call.args[1])
    return (call.args[1:3], call.args[3:]) if branches is None else (branches, call.args[2:])


def modules_called(file: File, site: int) -> list[Edit] | None:
    """The edits that make `lambda x: layer(x)` of the branches that are modules, which JAX would hash."""
    found = _branches(file, site)
    if found is None:
        return None
    given = dict.fromkeys(each.id for each in found[1] if isinstance(each, ir.Name))
    if len(given) < len(found[1]):
        return None  # something else, or a name twice
    names = ", ".join(given)
    start, end = file.span(site)
    edits = []
    for branch in found[0]:
        known = file.values(branch.site)
        if isinstance(branch, ir.Lambda) or (
            known and all(isinstance(each, (Api, FunctionValue, BoundMethod)) for each in known)
        ):
            continue
        if not start <= file.span(branch.site)[0] < end or not isinstance(branch, (ir.Name, ir.Attribute, ir.Call)):
            return None
        edits.append(file.replace(branch.site, f"lambda {names}: {file.code(branch.site)}({names})"))
    return edits


def called_first(
    file: File,
    site: int,
    functions: list[tuple[ir.Node, Sequence[ir.Node]]],
    running: str,
    imports: frozenset[ImportRequest],
) -> Fix | None:
    """Each of the functions is called with its arguments above the statement at ``site``, while ``running``."""
    lines, statement = [], file.unit.statement(site)
    for function, given in functions:
        if isinstance(function, ir.Lambda) and not any(isinstance(node, ir.Call) for node in ir.walk([function])):
            continue  # makes nothing
        known = file.values(function.site)
        if known and all(isinstance(value, Api) and value.name.startswith("jax.") for value in known):
            continue
        lines.append(f"{callee(file, function)}({', '.join(operands.argument(file, each.site) for each in given)})")
    inside = list(file.unit.ancestors(site))
    inner = inside[: inside.index(statement)]
    if (
        not lines
        or any("\n" in line for line in lines)
        or any(isinstance(n, (ir.Scope, ir.Comprehension)) for n in inner)
    ):
        return None
    above = _above(file, statement, running, lines)
    return None if above is None else Fix(_TITLE, (above,), imports=imports, changes=_CHANGES)


def callee(file: File, function: ir.Node) -> str:
    """A function as it stands in front of its arguments: `f` for `lambda x: f(x)`, other lambdas in parentheses."""
    if not isinstance(function, ir.Lambda):
        return operands.operand(file, function.site)
    inner = ir.result_of(function)
    if isinstance(inner, ir.Call) and not inner.keywords and isinstance(inner.func, ir.Name):
        name: str = inner.func.id
        names = [each.name if each.kind == "ordinary" else "*" for each in function.function.parameters]
        if [each.id if isinstance(each, ir.Name) else "" for each in inner.args] == names and name not in names:
            return name
    return operands.operand(file, function.site)


def _above(file: File, statement: ir.Statement, running: str, lines: list[str]) -> Edit | None:
    if not isinstance(statement, (ir.Return, ir.Assign, ir.Evaluate)) or not stands_on_own_lines(file, statement):
        return None
    indentation, newline = file.indentation(statement.site), file.source.newline
    code = "".join(f"{newline}{indentation}    {line}" for line in lines)
    return file.insert(file.span(statement.site)[0], f"if {running}:{code}{newline}{indentation}")
