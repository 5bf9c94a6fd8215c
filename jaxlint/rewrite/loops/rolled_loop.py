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
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import Round, carried, is_read_elsewhere, one_round, plain_round
from jaxlint.rewrite.loops.loop_functions import fori_loop, is_loop_over_range
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.statements import free_name, removed, stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

_JOINING = frozenset({"jax.numpy.stack", "jax.numpy.array", "jax.numpy.asarray"})

_CHANGES = "shapes and dtypes must stay fixed, the variable is traced"


def rolled_loop(hazard: Hazard, file: File) -> Fix | None:
    if hazard.site not in file.unit:
        return None
    loop = file.unit.parent(hazard.site)
    if not isinstance(loop, ir.For) or loop.is_async or not isinstance(loop.target, ir.Name):
        return None
    if not stands_on_own_lines(file, loop):
        return None
    counts = is_loop_over_range(file, loop)
    appended = _appended(loop)
    if appended is not None:
        return _collecting(file, loop, *appended) if counts or _is_array(file, loop.iterable) else None
    if counts:
        fix = fori_loop(hazard, file, loop, known_bounds=True)
        return None if fix is None else replace(fix, applicability=Applicability.DISPLAY, changes=_CHANGES)
    return _over_rows(file, loop) if _is_array(file, loop.iterable) else None


def _is_array(file: File, node: ir.Node) -> bool:
    """Whether a loop goes over the rows of an array; a parameter may be anything where no call of its function is seen."""
    kinds = {type(value) for value in file.values(node.site) if not isinstance(value, Unknown)}
    return Array in kinds and kinds <= {Array, Undecided}


# --- a scan that hands on ---------------------------------------------------------------------


def _over_rows(file: File, loop: ir.For) -> Fix | None:
    rounds = plain_round(file, loop)
    return None if rounds is None else _scan(file, *rounds, "None", "_", argument(file, loop.iterable.site), [])


def _scan(
    file: File, each: Round, names: list[str], output: str, target: str, over: str, edits: list[Edit]
) -> Fix | None:
    loop = each.loop
    indent = file.indentation(loop.site)
    inner = indent + step(file, loop, loop.body)
    body = moved(file, each.body, inner) if each.body else []
    if body is None:
        return None
    assert isinstance(loop, ir.For) and isinstance(loop.target, ir.Name)
    if is_read_elsewhere(file.unit, loop, loop.target.id):
        return None
    scan, imports = file.api("jax.lax.scan")
    function = free_name(file, loop.site, "body", "loop_body", "one_round")
    carry = free_name(file, loop.site, "carry", "state") if len(names) > 1 else names[0] if names else "_"
    row = loop.target.id if loop.target.id != "_" or carry != "_" else "__"
    whole = f"({', '.join(names)})" if len(names) > 1 else carry
    body_start, body_end = block_span(file, each.body or loop.body[:1])
    end = block_span(file, loop.body, whole=True)[1]
    lines = with_comments(
        f"def {function}({carry}, {row}):", comments_in(file, file.span(loop.iterable.site)[1], body_start)
    )
    lines += [f"{inner}{', '.join(names)} = {carry}"] if len(names) > 1 else []
    collects = len(each.body) < len(loop.body)  # what is said of the statement that does goes with the output
    said = comments_in(file, body_end if each.body else body_start, end) if collects else []
    lines += [*body, *with_comments(f"{inner}return {whole}, {output}", said), ""]
    lines.append(f"{indent}{whole}, {target} = {scan}({function}, {whole if names else 'None'}, {over})")
    start, space = opening(file, loop)
    content = space + file.source.newline.join(lines)
    edits = sorted([*edits, Edit(start, end, content)], key=lambda edit: edit.start)
    if any(first.end > second.start for first, second in itertools.pairwise(edits)):
        return None
    return Fix("Use `scan`", tuple(edits), Applicability.DISPLAY, imports, _CHANGES)


# --- a scan that collects ---------------------------------------------------------------------


def _appended(loop: ir.For) -> tuple[str, ir.Expression] | None:
    """The list, and what the last statement of a loop appends to it."""
    last = loop.body[-1]
    match last.value if isinstance(last, ir.Evaluate) else None:
        case ir.Call(func=ir.Attribute(value=ir.Name(id=name), attr="append"), args=[value], keywords=()):
            return None if isinstance(value, ir.Starred) else (name, value)
    return None


def _collecting(file: File, loop: ir.For, collected: str, output: ir.Expression) -> Fix | None:
    """A scan whose outputs take the place of a list that is stacked afterwards."""
    scope, each = file.unit.scope(loop.site), one_round(loop)
    if each is None or each.first is not None:
        return None
    match only_value(scope, collected):
        case ir.Sequence(kind="list", elements=[]) as empty:
            pass
        case _:
            return None
    each.body.pop()
    names = carried(file, each) if each.body else []
    start = removed(file, file.unit.statement(empty.site))
    stacks = _stacks(file, loop, scope, collected)
    if names is None or start is None or not stacks:
        return None
    over = argument(file, loop.iterable.site)
    more: frozenset[ImportRequest] = frozenset()
    if is_loop_over_range(file, loop):
        assert isinstance(loop.iterable, ir.Call)
        arange, more = file.api("jax.numpy.arange")
        over = f"{arange}({', '.join(argument(file, bound.site) for bound in loop.iterable.args)})"
    edits = [start, *(file.replace(call.site, collected) for call in stacks)]
    fix = _scan(file, each, names, argument(file, output.site), collected, over, edits)
    return None if fix is None else replace(fix, imports=fix.imports | more)


def _stacks(file: File, loop: ir.For, scope: ir.Scope, collected: str) -> list[ir.Call] | None:
    """The calls that make an array of the list, where it is used for nothing else."""
    inside = {each.site for each in ir.walk([loop])}
    calls, appends = [], 0
    for node in names_of(file.unit, scope, collected):
        around = file.unit.parent(node.site)
        if is_assigned(file.unit, node):
            continue
        if node.site in inside:
            appends += 1
            continue
        if not isinstance(around, ir.Call) or len(around.args) != 1 or around.keywords or around.args[0] is not node:
            return None
        if not file.is_api(around.func.site, *_JOINING):
            return None
        calls.append(around)
    return calls if appends == 1 else None
