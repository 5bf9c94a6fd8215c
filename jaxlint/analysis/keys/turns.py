"""Branches of `lax.cond` and `lax.switch` that one pass of a loop runs: where the loop's variable has one value.

The variable is followed by its names: from the loop through calls that pass it to a parameter.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by, parameter_of

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_COND, _SWITCH = "jax.lax.cond", "jax.lax.switch"
_BOTH = frozenset({"jax.numpy.logical_and", "jax.lax.bitwise_and", "jax.numpy.bitwise_and"})


def in_one_turn(i: Interpreter, loop: ir.Node, chain: tuple[int, ...]) -> bool:
    """Whether a chain of calls, the first of them in a loop, leads through a branch that one pass of the loop takes."""
    if not isinstance(loop, ir.For) or not isinstance(loop.target, ir.Name):
        return False
    name = loop.target.id
    if any(name in bound_by(each) for each in ir.walk(loop.body)):
        return False
    names = {name}
    for site, inner in itertools.pairwise(chain):
        call = i.unit.nodes[site]
        if not names or not isinstance(call, ir.Call):
            return False
        callee = i.last_callee.get(site)
        api = callee.name if type(callee) is v.Api else ""
        scope = i.unit.scope(inner)
        if api == _SWITCH and _is_index(call, names):
            return True
        if api == _COND and _is_true_branch(i, site, scope) and any(_is_of(each, names) for each in _asked(i, call)):
            return True
        outer = i.unit.scope(site)
        seen = names - scope.locals if any(each is outer for each in i.unit.ancestors(scope.site)) else set[str]()
        passed = _passed(call, scope, names) if not api and isinstance(scope, ir.Function) else ()
        names = {each.name for each in passed} | seen
    return False


def _is_index(call: ir.Call, names: set[str]) -> bool:
    index = ir.given(call, 0, "index")
    return isinstance(index, ir.Name) and index.id in names


def _is_true_branch(i: Interpreter, site: int, scope: ir.Scope) -> bool:
    call = i.last_calls.get(site)
    if call is None or call.star:
        return False
    # The older form is `cond(pred, operand, true_fun, operand, false_fun)`.
    is_older = len(call.args) == 5 and type(v.untransformed(call.args[1])) is not v.FunctionValue
    branch = call.args[2] if is_older else call.get(1, "true_fun")
    function = v.untransformed(branch) if branch is not None else None
    return type(function) is v.FunctionValue and function.function is scope


def _asked(i: Interpreter, call: ir.Call) -> Iterator[ir.Node]:
    yield from _parts(i, ir.given(call, 0, "pred"))


def _parts(i: Interpreter, condition: ir.Node | None) -> Iterator[ir.Node]:
    """What a condition asks for beside each other."""
    if isinstance(condition, ir.Binary) and condition.op == "&":
        yield from _parts(i, condition.left)
        yield from _parts(i, condition.right)
    elif isinstance(condition, ir.Call):
        callee = i.last_callee.get(condition.site)
        for each in condition.args if type(callee) is v.Api and callee.name in _BOTH else ():
            yield from _parts(i, each)
    elif condition is not None:
        yield condition


def _is_of(condition: ir.Node, names: set[str]) -> bool:
    """Whether a condition asks for one value of a variable."""
    if not isinstance(condition, ir.Compare) or condition.ops != ("==",):
        return False
    sides = (condition.left, condition.rights[0])
    asked = [isinstance(each, ir.Name) and each.id in names for each in sides]
    return asked.count(True) == 1


def _passed(call: ir.Call, function: ir.Function, names: set[str]) -> Iterator[ir.Parameter]:
    """The parameters of a function that a call passes one of the names."""
    parameters = [each for each in function.parameters if each.kind in ("positional-only", "ordinary")]
    if function.is_method:
        parameters = parameters[1:]
    for parameter, argument in zip(parameters, call.args):
        if isinstance(argument, ir.Starred):
            break
        if isinstance(argument, ir.Name) and argument.id in names and parameter_of(function, parameter.name):
            yield parameter
    for keyword in call.keywords:
        if isinstance(keyword.value, ir.Name) and keyword.value.id in names:
            found = parameter_of(function, keyword.name or "")
            yield from (found,) if found is not None else ()
