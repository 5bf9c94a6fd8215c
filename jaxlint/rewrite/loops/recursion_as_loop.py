"""A function that calls itself once, as its last step or in a sum or product, written with `jax.lax.while_loop`."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import FIXED_FORM
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import tuple_text, unused
from jaxlint.rewrite.operands import argument, beside
from jaxlint.rewrite.requirements import expect, known, or_none, plain_call, require
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


@or_none
def as_loop(file: File, site: int, name: str) -> Fix:
    """The fix for a function that reaches itself at ``site`` by a simple recursion."""
    call, draft = plain_call(file.unit.nodes[site]), Draft(file)
    around = [each for each in file.unit.ancestors(site) if isinstance(each, ir.Function)]
    function = known(next((each for each in around if each.name == name and not each.is_lambda), None))
    parameters = [each.name for each in function.parameters]
    require(not function.is_method and not call.keywords and len(call.args) == len(parameters))
    require(all(each.kind == "ordinary" and each.default is None for each in function.parameters))
    require(len(ir.names_below(function.body)[name]) == 1)
    *first, last = function.body
    helpers = {each.function.name: each.function for each in first if isinstance(each, ir.Define)}
    require(len(helpers) == len(first))
    step = _step(draft, expect(ir.Call, expect(ir.Return, last).value), call, helpers)
    taken = function.locals | function.free
    require(not {"carry", "going_on", "once_more"} & taken)
    return _written(draft, function, parameters, step, unused(set(taken), "total", "result", "so_far"))


def _step(draft: Draft, choice: ir.Call, call: ir.Call, helpers: dict[str, ir.Function]) -> _Step:
    """The parts of `cond(test, done, go_on)`, whichever of the two comes first."""
    file = draft.file
    require(len(choice.args) > 2 and not choice.keywords and file.is_api(choice.func.site, *_CHOICES))
    test, *bodies = choice.args[:3]
    if file.is_api(choice.func.site, "jax.lax.cond"):
        given = [expect(ir.Name, each).id for each in choice.args[3:]]
        bodies = [_body(each, given, helpers) for each in bodies]
    else:
        require(len(choice.args) == 3)
    goes_first = any(node is call for node in ir.walk([bodies[0]]))
    going, done = bodies if goes_first else reversed(bodies)
    require(not any(isinstance(node, (ir.Lambda, ir.Comprehension)) for node in ir.walk([going, done, test])))
    goes_on = file.code(test.site)
    if not goes_first:
        goes_on = f"{draft.api('jax.numpy.logical_not')}({argument(file, test.site)})"
    arguments = [argument(file, each.site) for each in call.args]
    if going is call:
        return _Step(goes_on, file.code(done.site), arguments)
    last = expect(ir.Binary, going)
    require(last.op in _NEUTRAL and call in (last.left, last.right))
    added = last.left if last.right is call else last.right
    return _Step(goes_on, beside(file, done.site), arguments, last.op, beside(file, added.site))


def _body(branch: ir.Node, operands: list[str], helpers: dict[str, ir.Function]) -> ir.Expression:
    """What a branch returns, in the names of its operands."""
    function = known(branch.function if isinstance(branch, ir.Lambda) else helpers.get(getattr(branch, "id", "")))
    require(len(function.body) == 1 and [each.name for each in function.parameters] == operands)
    return known(expect(ir.Return, function.body[0]).value)


def _written(draft: Draft, function: ir.Function, parameters: list[str], step: _Step, total: str) -> Fix:
    file = draft.file
    names, nexts, initial = parameters, step.arguments, parameters
    if step.op:
        names, initial = [*names, total], [*initial, _NEUTRAL[step.op]]
        nexts = [*nexts, f"{total} {step.op} {step.added}"]
    one = len(names) == 1
    taken, inside = (names[0], []) if one else ("carry", [f"    {', '.join(names)} = carry"])
    loop = f"{draft.api('jax.lax.while_loop')}(going_on, once_more, {tuple_text(initial) if not one else initial[0]})"
    lines = [
        f"def going_on({taken}):", *inside, f"    return {step.goes_on}", "",
        f"def once_more({taken}):", *inside, f"    return {', '.join(nexts)}", "",
        f"{', '.join(names)} = {loop}",
        f"return {_last(step, total)}",
    ]  # fmt: skip
    start, end = file.span(function.body[0].site)[0], file.span(function.body[-1].site)[1]
    indentation, newline = file.indentation(function.body[0].site), file.source.newline
    text = newline.join(indentation + line if line else "" for line in lines)[len(indentation) :]
    draft.edits.append(Edit(start, end, text))
    return draft.fix(f"Write `{function.name}` as a loop", FIXED_FORM)


def _last(step: _Step, total: str) -> str:
    """What the function returns after the loop."""
    if not step.op:
        return step.done
    return total if step.done == _NEUTRAL[step.op] else f"{total} {step.op} {step.done}"
