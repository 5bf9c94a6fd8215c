"""Everything that a compiled function does to the world outside, moved into one function around it."""

from __future__ import annotations

from typing import Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Edit, Fix
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.statements import removed
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
from jaxlint.rule import File
from jaxlint.rules.host.moved_statements import compiled_place, declared_in, moves
from jaxlint.rules.host.stored_values import Store, taken_apart
from jaxlint.rules.host.undeclared import undeclared
from jaxlint.semantics.model import Demand, Kind

_KINDS = (Kind.LEAK, Kind.SIDE_EFFECT, Kind.HOST_IO)


def moved_outside(demand: Demand, file: File) -> Optional[Fix]:
    """The fix that parts the compiled function in two: what is traced, and what happens at each call.

    With what the demand is about goes all else in the function that can go with it.
    """
    place = compiled_place(demand, file)
    if place is None:
        return None
    function = place.function
    stores: dict[int, Store] = {}
    statements: dict[int, ir.Statement] = {}
    for other in file.model.by_kind(_KINDS):
        found = compiled_place(other, file) if file.first <= other.site < file.unit.last else None
        if found is None or found.function is not function or found.statement.site in {*stores, *statements}:
            continue
        if other.kind == Kind.LEAK:
            store = taken_apart(file, found.statement, function) if file.unit.scope(other.site) is function else None
            if store is not None and store.name not in {each.name for each in stores.values()}:
                stores[found.statement.site] = store
        elif moves(file, found) and removed(file, found.statement) is not None:
            statements[found.statement.site] = found.statement
    if place.statement.site not in {*stores, *statements}:
        return None
    made = _parted(file, function, stores, statements)
    if made is None and len(stores) + len(statements) > 1:  # by itself it may do
        only = place.statement.site
        stores, statements = ({k: v for k, v in some.items() if k == only} for some in (stores, statements))
        made = _parted(file, function, stores, statements)
    if made is None:
        return None
    said = f"compile what can be traced, and do this in a function around it, which is called in the place of `{function.name}`"
    return Fix(said, made, Applicability.UNSAFE)


def _parted(
    file: File, function: ir.Function, stores: dict[int, Store], statements: dict[int, ir.Statement]
) -> Optional[tuple[Edit, ...]]:
    around, edits, names = Around(), [], set()
    for statement in sorted(statements.values(), key=lambda each: file.span(each.site)[0]):
        around.before.append(file.code(statement.site))
        names |= declared_in(function, statement)
        gone = removed(file, statement)
        if gone is None:
            return None
        edits.append(gone)
    for _, store in sorted(stores.items(), key=lambda each: file.span(each[0])[0]):
        around.results[store.name] = store.target
        around.after += [store.after] if store.after else []
        names |= {store.declared} if store.declared else set()
        edits += store.edits
    if not names <= function.globals:
        return None
    around.before[:0] = [f"global {', '.join(sorted(names))}"] if names else []
    for name in sorted(names):
        taken_back = undeclared(file, function, name)
        if taken_back is None or len(names) > 1 and any(not edit.content == "" for edit in taken_back):
            return None
        edits += taken_back
    kept = len(function.body) - sum(1 for edit in edits if not edit.content)
    if kept < 1 or not can_be_wrapped(file, function):
        return None
    outer = wrapped(file, function, around)
    ordered = in_order([*(outer or ()), *edits])
    if outer is None or any(second.start < first.end for first, second in zip(ordered, ordered[1:])):
        return None
    return ordered
