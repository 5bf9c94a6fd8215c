"""Reductions of a selection that has a name: `part = x[mask]` and `part.mean()` as `x.mean(where=mask)`."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, names_of, reads_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.arrays.masked_reduction import Selection, computed, reduction, with_where
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.transform_options import value_of
from jaxlint.source.diagnostic import Fix

_TAKE_WHERE = frozenset({"sum", "mean", "prod", "std", "var", "any", "all"})


class _Use(NamedTuple):
    name: ir.Name
    call: ir.Call
    along_first: bool
    inside: bool  # whether something is computed from it first


@or_none
def named_reduction(file: File, chosen: ir.Node, mask: ir.Node) -> Fix:
    """All that is computed from a selection that an assignment names, which must be reductions."""
    statement, draft = expect(ir.Assign, file.unit.parent(chosen.site)), Draft(file)
    selected = expect(ir.Subscript, chosen)
    require(selected.index is mask and masks.is_mask(file, mask.site) and operands.is_path(selected.value))
    uses = [_use(file, each, selected) for each in _reads(file, statement, selected, mask)]
    require(uses and _stays(file, statement, selected))
    axes = _missing_axes(file, selected, mask, any(each.along_first for each in uses))
    array, code = operands.argument(file, selected.value.site), file.code(mask.site, 40)
    if isinstance(mask, ir.Name):
        name = mask.id
        draft.remove(statement)
    else:
        name = expect(ir.Name, statement.targets[0]).id
        draft.replace(selected.site, file.code(mask.site))
    for each in uses:
        draft.edits += with_where(file, each.call, each.name, array, name + axes, inside=each.inside)
    changes = f"right where `{array}` has rows" if axes else f"right where the mask is shaped like `{array}`"
    return draft.fix(f"Leave out where `{code}` is false", changes)


def _use(file: File, read: ir.Name, chosen: ir.Subscript) -> _Use:
    """The reduction of the selection to a number, or along its first axis."""
    top = computed(file, read)
    call, name = known(reduction(file, top, Selection(chosen, "", "", along_first=True)))
    require(name in _TAKE_WHERE and value_of(call, "where") is None)
    return _Use(read, call, value_of(call, "axis") is not None, top is not read)


def _reads(file: File, statement: ir.Assign, chosen: ir.Subscript, mask: ir.Node) -> list[ir.Name]:
    """Where the selection is read by its name, which may have been that of the array."""
    target, scope = expect(ir.Name, statement.targets[0]), file.unit.scope(statement.site)
    if file.code(chosen.value.site) != target.id:
        return known(reads_of(file.unit, statement))
    start, end = file.span(statement.site)
    others = [each for each in bindings(scope, target.id) if each is not statement]
    named = names_of(file.unit, scope, target.id)
    require(statement in scope.body and all(file.span(each.site)[0] < start for each in others))
    require(isinstance(mask, ir.Name) and all(file.unit.scope(each.site) is scope for each in named))
    return [each for each in named if file.span(each.site)[0] >= end]


def _stays(file: File, statement: ir.Assign, chosen: ir.Subscript) -> bool:
    """Whether the array and the mask are bound before the selection alone, so that they are the same further below."""
    scope, at = file.unit.scope(statement.site), file.span(statement.site)[0]
    names = {each.id for each in ir.walk([chosen]) if isinstance(each, ir.Name)}
    return all(
        file.span(each.site)[0] < at for name in names for each in bindings(scope, name) if each is not statement
    )


def _missing_axes(file: File, chosen: ir.Subscript, mask: ir.Node, along_first: bool) -> str:
    """The axes that a mask of rows lacks, as a subscript. A reduction along the first axis leaves others of the array."""
    rank, of_mask = _rank(file, chosen.value.site), _rank(file, mask.site)
    if rank is None or of_mask is None:
        return "[:, None]" if along_first else ""
    if of_mask == rank:
        require(not along_first or rank == 1)
        return ""
    require(of_mask == 1)
    return f"[:, {', '.join(['None'] * (rank - of_mask))}]"


def _rank(file: File, site: int) -> int | None:
    """The number of dimensions in the calls where it is known."""
    ranks = {value.aval.ndim for value in file.values(site) if isinstance(value, masks.SHAPED)} - {None}
    return ranks.pop() if len(ranks) == 1 else None
