"""The fix that writes a Python loop as `fori_loop` or `scan`, which hold its body once."""

from __future__ import annotations

import itertools
from dataclasses import replace

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, Undecided, Unknown
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import is_assigned, names_of, only_value
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import carried, one_round, plain_round
from jaxlint.rewrite.loops.loop_functions import Writer, fori_loop, is_loop_over_range
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Fix

_JOINING = frozenset({"jax.numpy.stack", "jax.numpy.array", "jax.numpy.asarray"})

_CHANGES = "shapes and dtypes must stay fixed, the variable is traced"


@or_none
def rolled_loop(hazard: Hazard, file: File) -> Fix:
    require(hazard.site in file.unit)
    loop = expect(ir.For, file.unit.parent(hazard.site))
    require(isinstance(loop.target, ir.Name) and not loop.is_async and stands_on_own_lines(file, loop))
    counts, appended = is_loop_over_range(file, loop), _appended(loop)
    require(counts or _is_array(file, loop.iterable))
    if appended is not None:
        fix = _collecting(file, loop, *appended)
    elif counts:
        fix = known(fori_loop(hazard, file, loop, known_bounds=True))
    else:
        fix = Writer(file, *known(plain_round(file, loop))).scan("None", "_", argument(file, loop.iterable.site))
    require(all(first.end <= second.start for first, second in itertools.pairwise(fix.edits)))
    return replace(fix, applicability=Applicability.DISPLAY, changes=_CHANGES)


def _is_array(file: File, node: ir.Node) -> bool:
    """Whether a loop goes over the rows of an array; a parameter may be anything where no call of its function is seen."""
    kinds = {type(value) for value in file.values(node.site) if not isinstance(value, Unknown)}
    return Array in kinds and kinds <= {Array, Undecided}


def _appended(loop: ir.For) -> tuple[str, ir.Expression] | None:
    """The list, and what the last statement of a loop appends to it."""
    last = loop.body[-1]
    match last.value if isinstance(last, ir.Evaluate) else None:
        case ir.Call(func=ir.Attribute(value=ir.Name(id=name), attr="append"), args=[value], keywords=()):
            return None if isinstance(value, ir.Starred) else (name, value)
    return None


def _collecting(file: File, loop: ir.For, collected: str, output: ir.Expression) -> Fix:
    """A scan whose outputs take the place of a list that is stacked afterwards."""
    scope, each = file.unit.scope(loop.site), known(one_round(loop))
    empty = expect(ir.Sequence, only_value(scope, collected))
    require(each.first is None and empty.kind == "list" and not empty.elements)
    each.body.pop()
    writer = Writer(file, each, known(carried(file, each)) if each.body else [])
    writer.draft.remove(file.unit.statement(empty.site))
    for call in _stacks(file, loop, scope, collected):
        writer.draft.replace(call.site, collected)
    over = argument(file, loop.iterable.site)
    if is_loop_over_range(file, loop):
        over = writer.call("jax.numpy.arange", *(argument(file, bound.site) for bound in writer.range().args))
    return writer.scan(argument(file, output.site), collected, over)


def _stacks(file: File, loop: ir.For, scope: ir.Scope, collected: str) -> list[ir.Call]:
    """The calls that make an array of the list, where it is used for nothing else."""
    inside = {each.site for each in ir.walk([loop])}
    reads = [each for each in names_of(file.unit, scope, collected) if not is_assigned(file.unit, each)]
    require(sum(each.site in inside for each in reads) == 1)
    calls = []
    for node in reads:
        if node.site not in inside:
            call = expect(ir.Call, file.unit.parent(node.site))
            require(list(call.args) == [node] and not call.keywords and file.is_api(call.func.site, *_JOINING))
            calls.append(call)
    require(calls)
    return calls
