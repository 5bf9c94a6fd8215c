"""Statements that are to run at each call, moved out of a compiled function into one around it."""

from __future__ import annotations

from typing import Iterable, NamedTuple, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Edit, Fix
from jaxlint.rewrite.bindings import bindings
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.statements import removed
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
from jaxlint.rule import File
from jaxlint.rules.host.undeclared import undeclared
from jaxlint.semantics.model import Demand


class Place(NamedTuple):
    """The compiled function in which something happens, and the statement of it that leads there."""

    function: ir.Function
    statement: ir.Statement


def compiled_place(demand: Demand, file: File) -> Optional[Place]:
    """Where a compiled function does what the demand is about, itself or by a statement that calls a helper for it."""
    for site in (demand.site, *reversed(demand.chain)):
        function, statement = file.unit.scope(site), file.unit.statement(site)
        if isinstance(function, ir.Function) and can_be_wrapped(file, function):
            return Place(function, statement)
        calls = isinstance(statement, ir.Evaluate) and isinstance(statement.value, ir.Call)
        if site != demand.site and not (calls and statement.value.site == site):
            return None  # the result of the helper is used
    return None


def moved_out(demand: Demand, file: File, kinds: Iterable[str]) -> Optional[Fix]:
    """The fix that runs the statement of a demand, and those of others like it, in a function around the compiled one."""
    place = compiled_place(demand, file)
    if place is None or not _moves(file, place):
        return None
    statements = {place.statement.site: place.statement}
    for other in file.model.by_kind(kinds):
        found = compiled_place(other, file) if file.first <= other.site < file.unit.last else None
        if found is not None and found.function is place.function and _moves(file, found):
            statements[found.statement.site] = found.statement
    around, edits, names = Around(), [], set()
    for statement in sorted(statements.values(), key=lambda each: file.span(each.site)[0]):
        around.before.append(file.code(statement.site))
        names |= _declared(place.function, statement)
        gone = removed(file, statement)
        if gone is None:
            return None
        edits.append(gone)
    around.before[:0] = [f"global {', '.join(sorted(names))}"] if names else []
    for name in sorted(names):
        taken_back = undeclared(file, place.function, name)
        if taken_back is None:
            return None
        edits += taken_back
    if len(place.function.body) - len(edits) < 1:
        return None
    outer = wrapped(file, place.function, around)
    if outer is None or _overlap(edits):
        return None
    said = f"do it in a function around the compiled one, which is called in the place of `{place.function.name}`"
    return Fix(said, in_order([*outer, *edits]), Applicability.UNSAFE)


def _moves(file: File, place: Place) -> bool:
    """Whether a statement runs at each call, and reads and changes nothing that the traced code computes or reads."""
    function, statement = place
    if not any(each is statement for each in function.body):
        return False
    if isinstance(statement, ir.With):
        if any(item.target is not None and not isinstance(item.target, ir.Name) for item in statement.items):
            return False
        bound = {item.target.id for item in statement.items if item.target is not None}
    else:
        bound = set()
        if not isinstance(statement, (ir.Augment, ir.Assign, ir.Evaluate)):
            return False
    parameters = {each.name for each in function.parameters}
    inside = {each.site for each in ir.walk([statement])}
    outside = [each for each in ir.walk(function.body) if each.site not in inside]
    for node in ir.walk([statement]):
        if isinstance(node, (ir.Await, ir.Yield, ir.YieldFrom, ir.Walrus)):
            return False
        if isinstance(node, ir.Name) and node.id not in bound:
            local = node.id in function.locals and node.id not in parameters
            if local or (node.id in parameters and bindings(function, node.id)):
                return False
    changed = {file.code(each.site) for each in _changed(statement)}
    return not any(isinstance(each, (ir.Name, ir.Attribute, ir.Subscript)) and file.code(each.site) in changed for each in outside)


def _changed(statement: ir.Statement) -> list[ir.Node]:
    """The variable, attribute, element or container that a statement changes."""
    if isinstance(statement, ir.Assign):
        return list(statement.targets)
    if isinstance(statement, ir.Augment):
        return [statement.target]
    if isinstance(statement, ir.Evaluate) and isinstance(statement.value, ir.Call):
        func = statement.value.func
        return [func.value] if isinstance(func, ir.Attribute) else []
    return []


def _declared(function: ir.Function, statement: ir.Statement) -> set[str]:
    return {each.id for each in _changed(statement) if isinstance(each, ir.Name) and each.id in function.globals}


def _overlap(edits: list[Edit]) -> bool:
    ordered = sorted(edits, key=lambda each: each.start)
    return any(second.start < first.end for first, second in zip(ordered, ordered[1:]))
