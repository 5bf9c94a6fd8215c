"""A function that calls itself once, as its last step or in a sum or product, written with `jax.lax.while_loop`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import FIXED_FORM
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, beside
from jaxlint.source.diagnostic import Edit, Fix

_CHOICES = frozenset({"jax.lax.cond", "jax.lax.select", "jax.numpy.where"})
_NEUTRAL = {"+": "0", "*": "1"}


class _Step(NamedTuple):
    """One call of the function: when it goes on, with what, and what it adds."""

    goes_on: str
    done: str
    arguments: list[str]
    op: str = ""
    added: str = ""


def as_loop(file: File, site: int, name: str) -> Fix | None:
    """The fix for a function that reaches itself at ``site``; None where it is no simple recursion."""
    call = file.unit.nodes[site]
    around = [each for each in file.unit.ancestors(site) if isinstance(each, ir.Function)]
    function = next((each for each in around if each.name == name and not each.is_lambda), None)
    if function is None or function.is_method or not isinstance(call, ir.Call) or call.keywords:
        return None
    parameters = [each.name for each in function.parameters]
    plain = all(each.kind == "ordinary" and each.default is None for each in function.parameters)
    if not plain or len(call.args) != len(parameters) or any(isinstance(each, ir.Starred) for each in call.args):
        return None
    if sum(isinstance(node, ir.Name) and node.id == name for node in ir.walk(function.body)) != 1:
        return None
    *first, last = function.body
    helpers = [each for each in first if isinstance(each, ir.Define)]
    if not isinstance(last, ir.Return) or len(helpers) < len(first):
        return None
    step = _step(file, last.value, call, {each.function.name: each.function for each in helpers})
    if step is None:
        return None
    total = next(word for word in ("total", "result", "so_far") if word not in function.locals | function.free)
    if {"carry", "going_on", "once_more"} & (function.locals | function.free):
        return None
    return _written(file, function, parameters, step, total)


def _step(file: File, value: ir.Node | None, call: ir.Call, helpers: dict[str, ir.Function]) -> _Step | None:
    """The parts of `cond(test, done, go_on)`, whichever of the two comes first."""
    if not isinstance(value, ir.Call) or value.keywords or len(value.args) < 3:
        return None
    names = file.api_names(value.func.site)
    if len(names) != 1 or not names <= _CHOICES:
        return None
    test, *chosen = value.args[:3]
    operands = value.args[3:]
    given = [each.id for each in operands if isinstance(each, ir.Name)]
    if len(given) < len(operands):
        return None
    found: Sequence[ir.Node | None]
    if names == {"jax.lax.cond"}:
        found = [_body(each, given, helpers) for each in chosen]
    else:
        found = chosen if not operands else [None]
    bodies = [each for each in found if each is not None]
    if len(bodies) < len(found):
        return None
    goes_first = any(node is call for node in ir.walk([bodies[0]]))
    going, done = (bodies[0], bodies[1]) if goes_first else (bodies[1], bodies[0])
    if any(isinstance(node, (ir.Lambda, ir.Comprehension)) for node in ir.walk([going, done, test])):
        return None
    goes_on = file.code(test.site)
    if not goes_first:
        invert, _ = file.api("jax.numpy.logical_not")
        goes_on = f"{invert}({argument(file, test.site)})"
    arguments = [argument(file, each.site) for each in call.args]
    if going is call:
        return _Step(goes_on, file.code(done.site), arguments)
    if isinstance(going, ir.Binary) and going.op in _NEUTRAL and call in (going.left, going.right):
        added = going.left if going.right is call else going.right
        return _Step(goes_on, beside(file, done.site), arguments, going.op, beside(file, added.site))
    return None


def _body(branch: ir.Node, operands: list[str], helpers: dict[str, ir.Function]) -> ir.Node | None:
    """What a branch returns, in the names of its operands."""
    function = branch.function if isinstance(branch, ir.Lambda) else helpers.get(getattr(branch, "id", ""))
    if function is None or len(function.body) != 1 or not isinstance(function.body[0], ir.Return):
        return None
    return function.body[0].value if [each.name for each in function.parameters] == operands else None


def _written(file: File, function: ir.Function, parameters: list[str], step: _Step, total: str) -> Fix:
    while_loop, imports = file.api("jax.lax.while_loop")
    more = file.api("jax.numpy.logical_not")[1] if "logical_not" in step.goes_on else frozenset()
    names = [*parameters, total] if step.op else parameters
    nexts = [*step.arguments, f"{total} {step.op} {step.added}"] if step.op else step.arguments
    one = len(names) == 1
    taken, inside = (names[0], []) if one else ("carry", [f"    {', '.join(names)} = carry"])
    initial = [*parameters, _NEUTRAL[step.op]] if step.op else parameters
    lines = [
        f"def going_on({taken}):", *inside, f"    return {step.goes_on}", "",
        f"def once_more({taken}):", *inside, f"    return {', '.join(nexts)}", "",
        f"{', '.join(names)} = {while_loop}(going_on, once_more, {initial[0] if one else '(' + ', '.join(initial) + ')'})",
        f"return {_last(step, total)}",
    ]  # fmt: skip
    start, end = file.span(function.body[0].site)[0], file.span(function.body[-1].site)[1]
    indentation, newline = file.indentation(function.body[0].site), file.source.newline
    text = newline.join(indentation + line if line else "" for line in lines)[len(indentation) :]
    edit = Edit(start, end, text)
    return Fix(f"Write `{function.name}` as a loop", (edit,), imports=imports | more, changes=FIXED_FORM)


def _last(step: _Step, total: str) -> str:
    """What the function returns after the loop."""
    if not step.op:
        return step.done
    return total if step.done == _NEUTRAL[step.op] else f"{total} {step.op} {step.done}"
