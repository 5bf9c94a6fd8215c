"""Statements that are to run at each call, moved out of a compiled function into one around it."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.rewrite.file import File
from jaxlint.rewrite.wrapper import can_be_wrapped


class Place(NamedTuple):
    """The compiled function in which something happens, and the statement of it that leads there."""

    function: ir.Function
    statement: ir.Statement


def compiled_place(hazard: Hazard, file: File, nested: bool = False) -> Place | None:
    """Where a compiled function does what the hazard is about, itself or by a statement that calls a helper for it."""
    for site in (hazard.site, *reversed(hazard.chain)):
        if site not in file.unit:
            continue
        function, statement = file.unit.scope(site), file.unit.statement(site)
        if isinstance(function, ir.Function) and can_be_wrapped(file, function, nested):
            return Place(function, statement)
        call = statement.value if isinstance(statement, ir.Evaluate) else None
        if site != hazard.site and not (isinstance(call, ir.Call) and call.site == site):
            return None  # the result of the helper is used
    return None


def moves(file: File, place: Place) -> bool:
    """Whether a statement runs at each call, and reads and changes nothing that the traced code computes or reads."""
    function, statement = place
    bound: set[str] = set()
    match statement:
        case ir.With(items=items) if all(isinstance(each.target, (ir.Name, type(None))) for each in items):
            bound = {each.target.id for each in items if isinstance(each.target, ir.Name)}
        case ir.Augment() | ir.Assign() | ir.Evaluate():
            pass
        case _:
            return False
    parameters = {each.name for each in function.parameters}
    local = {name for name in function.locals if name not in parameters or bindings(function, name)} - bound
    inside, nodes = _read(file, [statement]), list(ir.walk([statement]))
    if any(isinstance(each, (ir.Await, ir.Yield, ir.YieldFrom, ir.Walrus)) for each in nodes):
        return False
    if statement not in function.body or any(isinstance(each, ir.Name) and each.id in local for each in nodes):
        return False
    read = file.once("read", function.site, lambda: _read(file, function.body))
    return all(read[code] == inside[code] for code in {file.code(each.site) for each in _changed(statement)})


def _read(file: File, body: list[ir.Statement]) -> Counter[str]:
    """How often statements name a variable, an attribute or an element, by its source."""
    return Counter(
        file.code(each.site) for each in ir.walk(body) if isinstance(each, (ir.Name, ir.Attribute, ir.Subscript))
    )


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


def declared_in(function: ir.Function, statement: ir.Statement) -> set[str]:
    """Variables declared `global` that a statement binds."""
    return {each.id for each in _changed(statement) if isinstance(each, ir.Name) and each.id in function.globals}
