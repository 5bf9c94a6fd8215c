"""Rewrites that make the parameters of layers before a loop or branch that cannot make them."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.domain.values import Api, BoundMethod, FunctionValue
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import displayed
from jaxlint.rewrite import operands
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, or_none, require
from jaxlint.rewrite.statements import stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest

_TITLE, _CHANGES = "Make the parameters before, while `init` runs", "`init` calls each of the functions once"


@or_none
def body_first(file: File, site: int, used: int, name: str | None = None) -> Fix:
    """`if hk.running_init(): return body(x)` above `return hk.while_loop(cond, body, x)`.

    ``name`` is Haiku's function where the call is one of JAX's. What is bound and not returned is a
    conditional expression.
    """
    call, statement = _call(file, site), file.unit.statement(site)
    require(isinstance(statement, (ir.Return, ir.Assign)) and statement.value is call and len(call.args) == 3)
    condition, body, start = call.args
    require(all(node.site != used for node in ir.walk([condition])))  # the condition would have to run as well
    draft = Draft(file)
    running = f"{draft.api('haiku.running_init')}()"
    run = f"{callee(file, body)}({operands.argument(file, start.site)})"
    require("\n" not in run)
    if isinstance(statement, ir.Return):
        draft.edits.append(_above(file, statement, running, [f"return {run}"]))
    else:
        begin, end = file.outer_span(site)
        require("\n" not in file.source.text[begin:end])
        draft.insert(begin, f"{run} if {running} else ")
    if name is not None:
        draft.replace(call.func.site, draft.api(name))
    return draft.fix(_TITLE, _CHANGES)


@or_none
def branches_first(file: File, site: int, running: str, imports: frozenset[ImportRequest]) -> Fix | None:
    """Each layer that a branch calls is called once above, while ``running`` says that `init` runs."""
    branches, given = _branches(file, site)
    return called_first(file, site, [(each, given) for each in branches], running, imports)


def _call(file: File, site: int) -> ir.Call:
    """The call of a loop or branch, with all that it is given by position."""
    call = expect(ir.Call, file.unit.nodes[site])
    require(not call.keywords and is_plain(call.args))
    return call


def _branches(file: File, site: int) -> tuple[Sequence[ir.Node], Sequence[ir.Node]]:
    """The functions of a `cond` or `switch`, and what they are given."""
    call = _call(file, site)
    require(len(call.args) > 1)
    branches = displayed(file.unit, call.args[1])
    return (call.args[1:3], call.args[3:]) if branches is None else (branches, call.args[2:])


@or_none
def modules_called(file: File, site: int) -> list[Edit]:
    """The edits that make `lambda x: layer(x)` of the branches that are modules, which JAX would hash."""
    branches, passed = _branches(file, site)
    given = dict.fromkeys(each.id for each in passed if isinstance(each, ir.Name))
    require(len(given) == len(passed))  # each of another name
    names = ", ".join(given)
    start, end = file.span(site)
    edits = []
    for branch in branches:
        values = file.values(branch.site)
        if isinstance(branch, ir.Lambda) or (
            values and all(isinstance(each, (Api, FunctionValue, BoundMethod)) for each in values)
        ):
            continue
        require(start <= file.span(branch.site)[0] < end and isinstance(branch, (ir.Name, ir.Attribute, ir.Call)))
        edits.append(file.replace(branch.site, f"lambda {names}: {file.code(branch.site)}({names})"))
    return edits


@or_none
def called_first(
    file: File,
    site: int,
    functions: list[tuple[ir.Node, Sequence[ir.Node]]],
    running: str,
    imports: frozenset[ImportRequest],
) -> Fix:
    """Each of the functions is called with its arguments above the statement at ``site``, while ``running``."""
    lines, statement = [], file.unit.statement(site)
    for function, given in functions:
        if isinstance(function, ir.Lambda) and not any(isinstance(node, ir.Call) for node in ir.walk([function])):
            continue  # makes nothing
        values = file.values(function.site)
        if values and all(isinstance(value, Api) and value.name.startswith("jax.") for value in values):
            continue
        lines.append(f"{callee(file, function)}({', '.join(operands.argument(file, each.site) for each in given)})")
    inside = list(file.unit.ancestors(site))
    inner = inside[: inside.index(statement)]
    require(lines and not any("\n" in line for line in lines))
    require(not any(isinstance(each, (ir.Scope, ir.Comprehension)) for each in inner))
    return Fix(_TITLE, (_above(file, statement, running, lines),), imports=imports, changes=_CHANGES)


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


def _above(file: File, statement: ir.Statement, running: str, lines: list[str]) -> Edit:
    require(isinstance(statement, (ir.Return, ir.Assign, ir.Evaluate)) and stands_on_own_lines(file, statement))
    indentation, newline = file.indentation(statement.site), file.source.newline
    code = "".join(f"{newline}{indentation}    {line}" for line in lines)
    return file.insert(file.span(statement.site)[0], f"if {running}:{code}{newline}{indentation}")
