"""The fix that writes a Python loop as `fori_loop` or `scan`, which hold its body once."""

from __future__ import annotations

import itertools
from dataclasses import replace

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, Undecided, Unknown
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import is_assigned, names_of, only_value
from jaxlint.rewrite.blocks import block_span, moved, opening, step
from jaxlint.rewrite.comments import comments_in, with_comments
from jaxlint.rewrite.draft import Draft, needs, of_kind, offered, some
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import Round, carried, is_read_elsewhere, one_round, plain_round
from jaxlint.rewrite.loops.loop_functions import fori_loop, is_loop_over_range
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_JOINING = frozenset({"jax.numpy.stack", "jax.numpy.array", "jax.numpy.asarray"})

_CHANGES = "shapes and dtypes must stay fixed, the variable is traced"


@offered
def rolled_loop(hazard: Hazard, file: File) -> Fix:
    needs(hazard.site in file.unit)
    loop = of_kind(file.unit.parent(hazard.site), ir.For)
    needs(isinstance(loop.target, ir.Name) and not loop.is_async and stands_on_own_lines(file, loop))
    counts, appended = is_loop_over_range(file, loop), _appended(loop)
    if counts and appended is None:
        fix = some(fori_loop(hazard, file, loop, known_bounds=True))
        return replace(fix, applicability=Applicability.DISPLAY, changes=_CHANGES)
    needs(counts or _is_array(file, loop.iterable))
    if appended is not None:
        return _collecting(file, loop, *appended)
    return _scan(Draft(file), *some(plain_round(file, loop)), "None", "_", argument(file, loop.iterable.site))


def _is_array(file: File, node: ir.Node) -> bool:
    """Whether a loop goes over the rows of an array; a parameter may be anything where no call of its function is seen."""
    kinds = {type(value) for value in file.values(node.site) if not isinstance(value, Unknown)}
    return Array in kinds and kinds <= {Array, Undecided}


# --- a scan that hands on ---------------------------------------------------------------------


def _scan(draft: Draft, each: Round, names: list[str], output: str, target: str, over: str) -> Fix:
    file, loop = draft.file, of_kind(each.loop, ir.For)
    counter, indent = of_kind(loop.target, ir.Name).id, file.indentation(loop.site)
    needs(not is_read_elsewhere(file.unit, loop, counter))
    inner = indent + step(file, loop, loop.body)
    body = some(moved(file, each.body, inner)) if each.body else []
    function = free_name(file, loop.site, "body", "loop_body", "one_round")
    carry = free_name(file, loop.site, "carry", "state") if len(names) > 1 else names[0] if names else "_"
    row = counter if counter != "_" or carry != "_" else "__"
    whole = f"({', '.join(names)})" if len(names) > 1 else carry
    body_start, body_end = block_span(file, each.body or loop.body[:1])
    end = block_span(file, loop.body, whole=True)[1]
    said = comments_in(file, file.span(loop.iterable.site)[1], body_start)
    lines = with_comments(f"def {function}({carry}, {row}):", said)
    lines += [f"{inner}{', '.join(names)} = {carry}"] if len(names) > 1 else []
    collects = len(each.body) < len(loop.body)  # what is said of the statement that does goes with the output
    said = comments_in(file, body_end if each.body else body_start, end) if collects else []
    lines += [*body, *with_comments(f"{inner}return {whole}, {output}", said), ""]
    called = f"{draft.api('jax.lax.scan')}({function}, {whole if names else 'None'}, {over})"
    lines.append(f"{indent}{whole}, {target} = {called}")
    start, space = opening(file, loop)
    edits = in_order([*draft.edits, Edit(start, end, space + file.source.newline.join(lines))])
    needs(all(first.end <= second.start for first, second in itertools.pairwise(edits)))
    return Fix("Use `scan`", edits, Applicability.DISPLAY, draft.imports, _CHANGES)


# --- a scan that collects ---------------------------------------------------------------------


def _appended(loop: ir.For) -> tuple[str, ir.Expression] | None:
    """The list, and what the last statement of a loop appends to it."""
    last = loop.body[-1]
    match last.value if isinstance(last, ir.Evaluate) else None:
        case ir.Call(func=ir.Attribute(value=ir.Name(id=name), attr="append"), args=[value], keywords=()):
            return None if isinstance(value, ir.Starred) else (name, value)
    return None


def _collecting(file: File, loop: ir.For, collected: str, output: ir.Expression) -> Fix:
    """A scan whose outputs take the place of a list that is stacked afterwards."""
    scope, each, draft = file.unit.scope(loop.site), some(one_round(loop)), Draft(file)
    empty = of_kind(only_value(scope, collected), ir.Sequence)
    needs(each.first is None and empty.kind == "list" and not empty.elements)
    each.body.pop()
    names = some(carried(file, each)) if each.body else []
    draft.remove(file.unit.statement(empty.site))
    for call in _stacks(file, loop, scope, collected):
        draft.replace(call.site, collected)
    over = argument(file, loop.iterable.site)
    if is_loop_over_range(file, loop):
        bounds = of_kind(loop.iterable, ir.Call).args
        over = f"{draft.api('jax.numpy.arange')}({', '.join(argument(file, bound.site) for bound in bounds)})"
    return _scan(draft, each, names, argument(file, output.site), collected, over)


def _stacks(file: File, loop: ir.For, scope: ir.Scope, collected: str) -> list[ir.Call]:
    """The calls that make an array of the list, where it is used for nothing else."""
    inside = {each.site for each in ir.walk([loop])}
    reads = [each for each in names_of(file.unit, scope, collected) if not is_assigned(file.unit, each)]
    needs(sum(each.site in inside for each in reads) == 1)
    calls = []
    for node in reads:
        if node.site not in inside:
            call = of_kind(file.unit.parent(node.site), ir.Call)
            needs(list(call.args) == [node] and not call.keywords and file.is_api(call.func.site, *_JOINING))
            calls.append(call)
    needs(calls)
    return calls
