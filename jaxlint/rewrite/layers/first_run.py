"""Rewrites that make the parameters of layers before a loop or branch that cannot make them."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.domain.values import Api, BoundMethod, FunctionValue
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import displayed
from jaxlint.rewrite import operands
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import or_none, plain_call, require
from jaxlint.rewrite.statements import stands_on_own_lines
from jaxlint.source.diagnostic import Fix

_TITLE, _CHANGES = "Make the parameters before, while `init` runs", "`init` calls each of the functions once"


@or_none
def body_first(file: File, site: int, used: int, name: str | None = None) -> Fix:
    """`if hk.running_init(): return body(x)` above `return hk.while_loop(cond, body, x)`.

    ``name`` is Haiku's function where the call is one of JAX's. What is bound and not returned is a
    conditional expression.
    """
    call, statement = plain_call(file.unit.nodes[site], 3), file.unit.statement(site)
    require(isinstance(statement, (ir.Return, ir.Assign)) and statement.value is call)
    condition, body, start = call.args
    require(all(node.site != used for node in ir.walk([condition])))  # the condition would have to run as well
    draft = Draft(file)
    running = draft.call("haiku.running_init")
    run = f"{callee(file, body)}({operands.argument(file, start.site)})"
    require("\n" not in run)
    if isinstance(statement, ir.Return):
        _above(draft, statement, running, [f"return {run}"])
    else:
        begin, end = file.outer_span(site)
        require("\n" not in file.source.text[begin:end])
        draft.insert(begin, f"{run} if {running} else ")
    if name is not None:
        draft.replace(call.func.site, draft.api(name))
    return draft.fix(_TITLE, _CHANGES)


@or_none
def branches_first(draft: Draft, site: int, running: str, unhashable: bool = False) -> Fix | None:
    """Each layer that a branch calls is called once above, while ``running`` says that `init` runs.

    With ``unhashable`` JAX would hash the branches that are modules.
    """
    branches, given = _branches(draft.file, site)
    if unhashable:
        _as_functions(draft, site, branches, given)
    return called_first(draft, site, [(each, given) for each in branches], running)


def _branches(file: File, site: int) -> tuple[Sequence[ir.Node], Sequence[ir.Node]]:
    """The functions of a `cond` or `switch`, and what they are given."""
    call = plain_call(file.unit.nodes[site])
    require(len(call.args) > 1 and not call.keywords)
    branches = displayed(file.unit, call.args[1])
    return (call.args[1:3], call.args[3:]) if branches is None else (branches, call.args[2:])


def _as_functions(draft: Draft, site: int, branches: Sequence[ir.Node], passed: Sequence[ir.Node]) -> None:
    """Makes `lambda x: layer(x)` of the branches that are modules."""
    file, given = draft.file, dict.fromkeys(each.id for each in passed if isinstance(each, ir.Name))
    require(len(given) == len(passed))  # each of another name
    names, (start, end) = ", ".join(given), file.span(site)
    for branch in branches:
        is_function = file.always(branch.site, lambda each: isinstance(each, (Api, FunctionValue, BoundMethod)))
        if not is_function and not isinstance(branch, ir.Lambda):
            require(start <= file.span(branch.site)[0] < end and isinstance(branch, (ir.Name, ir.Attribute, ir.Call)))
            draft.replace(branch.site, f"lambda {names}: {file.code(branch.site)}({names})")
    require(draft.edits)


@or_none
def called_first(draft: Draft, site: int, functions: list[tuple[ir.Node, Sequence[ir.Node]]], running: str) -> Fix:
    """Each of the functions is called with its arguments above the statement at ``site``, while ``running``."""
    file = draft.file
    lines, statement = [], file.unit.statement(site)
    for function, given in functions:
        if isinstance(function, ir.Lambda) and not any(isinstance(node, ir.Call) for node in ir.walk([function])):
            continue  # makes nothing
        if file.always(function.site, lambda value: isinstance(value, Api) and value.name.startswith("jax.")):
            continue
        lines.append(f"{callee(file, function)}({', '.join(operands.argument(file, each.site) for each in given)})")
    inside = list(file.unit.ancestors(site))
    inner = inside[: inside.index(statement)]
    require(lines and not any("\n" in line for line in lines))
    require(not any(isinstance(each, (ir.Scope, ir.Comprehension)) for each in inner))
    _above(draft, statement, running, lines)
    return draft.fix(_TITLE, _CHANGES)


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


def _above(draft: Draft, statement: ir.Statement, running: str, lines: list[str]) -> None:
    file = draft.file
    require(isinstance(statement, (ir.Return, ir.Assign, ir.Evaluate)) and stands_on_own_lines(file, statement))
    inner = f"{file.source.newline}{file.indentation(statement.site)}    "
    draft.above(statement, inner.join([f"if {running}:", *lines]))
