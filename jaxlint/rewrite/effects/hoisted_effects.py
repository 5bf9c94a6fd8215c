"""Everything that a compiled function does to the world outside, moved into one function around it."""

from __future__ import annotations

import itertools

from jaxlint.analysis.checkers.trace_side_effects import SideEffectInTracedCode, TracerLeak
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.models.host_effects import HostClockOrIoInTracedCode
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import EACH_CALL
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.effects.dropped_globals import undeclare
from jaxlint.rewrite.effects.moved_statements import Place, compiled_place, declared_in, moves
from jaxlint.rewrite.effects.stored_values import Store, taken_apart
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import known, or_none, require
from jaxlint.rewrite.statements import removed
from jaxlint.rewrite.wrapper import Around, wrapped
from jaxlint.source.diagnostic import Edit, Fix

_HAZARDS = (TracerLeak, SideEffectInTracedCode, HostClockOrIoInTracedCode)


@or_none
def moved_outside(hazard: Hazard, file: File, nested: bool = False) -> Fix:
    """The fix that parts the compiled function in two: what is traced, and what happens at each call.

    With what the hazard is about goes all else in the function that can go with it. With ``nested`` it may be a
    function that another one makes.
    """
    place = known(compiled_place(hazard, file, nested))
    function, only = place.function, place.statement.site
    stores, statements, made = file.once("outside", function.site, lambda: _parted_whole(file, place))
    require(only in stores or only in statements)
    if made is None and len(stores) + len(statements) > 1:  # by itself it may do
        store, statement = stores.get(only), statements.get(only)
        made = _parted(file, function, {only: store} if store else {}, {only: statement} if statement else {})
    return Fix("Do it in a function around what is compiled", known(made), changes=EACH_CALL)


def _parted_whole(
    file: File, place: Place
) -> tuple[dict[int, Store], dict[int, ir.Statement], tuple[Edit, ...] | None]:
    """What can go out of a function, and the edits that take it all out."""
    stores, statements = _that_can_go(file, place.function)
    only = place.statement
    if only.site not in stores and only.site not in statements and isinstance(only, ir.Evaluate):
        store = taken_apart(file, only, place.function, around=True)
        if store is not None:
            stores[only.site] = store
    return stores, statements, _parted(file, place.function, stores, statements) if stores or statements else None


def _that_can_go(file: File, function: ir.Function) -> tuple[dict[int, Store], dict[int, ir.Statement]]:
    """The stores and the other statements that can go out of a function, by their sites."""
    stores: dict[int, Store] = {}
    statements: dict[int, ir.Statement] = {}
    names: set[str] = set()
    for other, found in file.once("places", None, lambda: _places(file)).get(function.site, ()):
        site = found.statement.site
        if site in stores or site in statements:
            continue
        if type(other) is TracerLeak:
            store = taken_apart(file, found.statement, function) if file.unit.scope(other.site) is function else None
            if store is not None and store.name not in names:
                stores[site] = store
                names.add(store.name)
        elif moves(file, found) and removed(file, found.statement) is not None:
            statements[site] = found.statement
    return stores, statements


def _places(file: File) -> dict[int, list[tuple[Hazard, Place]]]:
    """What is done to the world outside in compiled functions, by the site of the function."""
    found: dict[int, list[tuple[Hazard, Place]]] = {}
    for hazard in file.model.of(*_HAZARDS):
        place = compiled_place(hazard, file) if hazard.site in file.unit else None
        if place is not None:
            found.setdefault(place.function.site, []).append((hazard, place))
    return found


@or_none
def _parted(
    file: File, function: ir.Function, stores: dict[int, Store], statements: dict[int, ir.Statement]
) -> tuple[Edit, ...]:
    around, draft, names = Around(), Draft(file), set[str]()
    for statement in sorted(statements.values(), key=lambda each: file.span(each.site)[0]):
        around.before.append(file.code(statement.site))
        names |= declared_in(function, statement)
        draft.remove(statement)
    for _, store in sorted(stores.items(), key=lambda each: file.span(each[0])[0]):
        around.results[store.name] = store.target
        around.after += [store.after.format(*store.name.split(", "))] if store.after else []
        names |= {store.declared} if store.declared else set()
        draft.edits += store.edits
    require(names <= function.globals)
    around.before[:0] = [f"global {', '.join(sorted(names))}"] if names else []
    for name in sorted(names):
        undeclare(draft, function, name)
    require(len(function.body) > sum(1 for edit in draft.edits if not edit.content))
    draft.edits += known(wrapped(file, function, around))
    ordered = in_order(draft.edits)
    require(all(first.end <= second.start for first, second in itertools.pairwise(ordered)))
    return ordered
