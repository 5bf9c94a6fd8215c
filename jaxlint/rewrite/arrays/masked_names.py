"""Reductions of a selection that has a name: `part = x[mask]` and `part.mean()` as `x.mean(where=mask)`."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, names_of, reads_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.arrays.masked_reduction import Selection, computed, reduction, with_where
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import removed
from jaxlint.source.diagnostic import Edit, Fix

_TAKE_WHERE = frozenset({"sum", "mean", "prod", "std", "var", "any", "all"})


class _Use(NamedTuple):
    name: ir.Name
    call: ir.Call
    along_first: bool
    inside: bool  # whether something is computed from it first


def named_reduction(file: File, chosen: ir.Node, mask: ir.Node) -> Fix | None:
    """All that is computed from a selection that an assignment names; None where one of it is no reduction."""
    statement = file.unit.parent(chosen.site)
    if not isinstance(chosen, ir.Subscript) or chosen.index is not mask or not isinstance(statement, ir.Assign):
        return None
    reads = _reads(file, statement, chosen, mask) if masks.is_mask(file, mask.site) else None
    uses = [_use(file, each, chosen) for each in reads or ()]
    if not uses or None in uses or not operands.is_path(chosen.value) or not _stays(file, statement, chosen):
        return None
    axes = _missing_axes(file, chosen, mask, any(each.along_first for each in uses if each is not None))
    if axes is None:
        return None
    target, array, code = statement.targets[0], operands.argument(file, chosen.value.site), file.code(mask.site, 40)
    assert isinstance(target, ir.Name)
    edits: list[Edit] = []
    if isinstance(mask, ir.Name):
        gone, name = removed(file, statement), mask.id
        if gone is None:
            return None
        edits.append(gone)
    else:
        name = target.id
        edits.append(file.replace(chosen.site, file.code(mask.site)))
    for each in uses:
        assert each is not None
        edits += with_where(file, each.call, each.name, array, name + axes, inside=each.inside)
    changes = f"right where `{array}` has rows" if axes else f"right where the mask is shaped like `{array}`"
    return Fix(f"Leave out where `{code}` is false", tuple(edits), changes=changes)


def _use(file: File, read: ir.Name, chosen: ir.Subscript) -> _Use | None:
    """The reduction of the selection to a number, or along its first axis."""
    top = computed(file, read)
    call, name = reduction(file, top, Selection(chosen, "", "", along_first=True))
    if call is None or name not in _TAKE_WHERE or any(each.name == "where" for each in call.keywords):
        return None
    return _Use(read, call, any(each.name == "axis" for each in call.keywords), top is not read)


def _reads(file: File, statement: ir.Assign, chosen: ir.Subscript, mask: ir.Node) -> list[ir.Name] | None:
    """Where the selection is read by its name, which may have been that of the array."""
    target, scope = statement.targets[0], file.unit.scope(statement.site)
    if not isinstance(target, ir.Name) or file.code(chosen.value.site) != target.id:
        return reads_of(file.unit, statement)
    start, end = file.span(statement.site)
    others = [each for each in bindings(scope, target.id) if each is not statement]
    is_last = statement in scope.body and all(file.span(each.site)[0] < start for each in others)
    named = names_of(file.unit, scope, target.id)
    if not is_last or not isinstance(mask, ir.Name) or any(file.unit.scope(each.site) is not scope for each in named):
        return None
    return [each for each in named if file.span(each.site)[0] >= end]


def _stays(file: File, statement: ir.Assign, chosen: ir.Subscript) -> bool:
    """Whether the array and the mask are bound before the selection alone, so that they are the same further below."""
    scope, at = file.unit.scope(statement.site), file.span(statement.site)[0]
    names = {each.id for each in ir.walk([chosen]) if isinstance(each, ir.Name)}
    return all(
        file.span(each.site)[0] < at for name in names for each in bindings(scope, name) if each is not statement
    )


def _missing_axes(file: File, chosen: ir.Subscript, mask: ir.Node, along_first: bool) -> str | None:
    """The axes that a mask of rows lacks, as a subscript. A reduction along the first axis leaves others of the array."""
    rank, of_mask = _rank(file, chosen.value.site), _rank(file, mask.site)
    if rank is not None and of_mask is not None:
        if of_mask == rank:
            return None if along_first and rank > 1 else ""
        return f"[:, {', '.join(['None'] * (rank - of_mask))}]" if of_mask == 1 else None
    return "[:, None]" if along_first else ""


def _rank(file: File, site: int) -> int | None:
    """The number of dimensions in the calls where it is known."""
    ranks = {value.aval.ndim for value in file.values(site) if isinstance(value, masks.SHAPED)} - {None}
    return ranks.pop() if len(ranks) == 1 else None
