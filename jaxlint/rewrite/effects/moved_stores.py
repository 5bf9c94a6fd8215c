"""Stores that traced code makes outside, moved to where the traced function is called: its results carry the values."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, names_of, own_returns
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import ONE_RESULT_MORE
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.effects.dropped_globals import undeclared
from jaxlint.rewrite.effects.hoisted_effects import moved_outside
from jaxlint.rewrite.effects.stored_values import Store, taken_apart
from jaxlint.rewrite.file import File
from jaxlint.rewrite.results import Receiver, return_also
from jaxlint.rewrite.statements import free_name
from jaxlint.rewrite.wrapper import can_be_wrapped
from jaxlint.source.diagnostic import Fix


def moved_out(hazard: Hazard, file: File) -> Fix | None:
    """The fix that returns what is stored, and stores it where the function is called."""
    return _moved(hazard, file, hazard.site) or call_moved_out(hazard, file)


def call_moved_out(hazard: Hazard, file: File) -> Fix | None:
    """The fix that leaves to the caller of a compiled function what it does by a call of which it reads no result."""
    for site in (hazard.site, *reversed(hazard.chain)):
        holder = file.holding(site)
        if isinstance(holder.unit.statement(site), ir.Evaluate):
            fix = _moved(hazard, holder, site)
            if fix is not None:
                return file.placed(fix, site)
    return None


def _moved(hazard: Hazard, file: File, site: int) -> Fix | None:
    statement, function = file.unit.statement(site), file.unit.scope(site)
    if not isinstance(function, ir.Function) or function.is_lambda:
        return None
    if can_be_wrapped(file, function):
        return moved_outside(hazard, file)
    store = taken_apart(file, statement, function)
    if store is None:
        return None
    if store.declared:
        edits = undeclared(file, function, store.declared)
        if edits is None:
            return None
        store.edits.extend(edits)
    return _stacked(file, function, store) or _at_the_calls(file, function, store) or moved_outside(hazard, file, True)


def _at_the_calls(file: File, function: ir.Function, store: Store) -> Fix | None:
    calls = visible_calls(file, function, ("jax.jit",))
    if not calls or (not function.decorators and any(not use.transforms for use in calls)):
        return None  # a helper: the store would still be made in traced code
    owner = defining_scope(file.unit, function.site, store.declared) if store.declared else None

    def receive(call: ir.Call) -> Receiver | None:
        scope = file.unit.scope(call.site)
        if store.declared and (scope is not owner or not isinstance(scope, ir.Function)):
            return None
        if function.is_method and not _is_of_same_object(file, function, call):
            return None
        if store.after:
            names = [free_name(file, call.site, each) for each in store.name.split(", ")]
            return Receiver(", ".join(names), store.after.format(*names))
        return Receiver(store.target)

    change = return_also(file, function, store.name, receive)
    if change is None:
        return None
    title = f"Return `{store.name}` too, and store it at each call"
    return Fix(title, in_order([*change.edits, *store.edits]), change.level, changes=ONE_RESULT_MORE)


def _is_of_same_object(file: File, method: ir.Function, call: ir.Call) -> bool:
    """Whether a method of the same class calls, on its own object."""
    caller = file.unit.scope(call.site)
    if not isinstance(caller, ir.Function) or not caller.is_method or not caller.parameters or not method.parameters:
        return False
    me = caller.parameters[0].name
    same_class = file.unit.scope(caller.site) is file.unit.scope(method.site)
    receiver = call.func.value if isinstance(call.func, ir.Attribute) else call
    return same_class and me == method.parameters[0].name == file.code(receiver.site)


def _stacked(file: File, function: ir.Function, store: Store) -> Fix | None:
    """The body of a `scan` that returns nothing for each step: it returns the value, and the list gets all of them."""
    uses = names_of(file.unit, file.unit.scope(function.site), function.name)
    call = file.unit.parent(uses[0].site) if len(uses) == 1 else None
    if (
        not isinstance(call, ir.Call)
        or not call.args
        or call.args[0] is not uses[0]
        or not store.after.endswith(".append({0})")
    ):
        return None
    if not file.is_api(call.func.site, "jax.lax.scan"):
        return None
    edits = list(store.edits)
    for each in own_returns(function):
        match each.value:
            case ir.Sequence(elements=[_, ir.Constant(value=None) as second]):
                edits.append(file.replace(second.site, store.name))
            case _:
                return None
    if len(edits) == len(store.edits):
        return None
    statement = file.unit.statement(call.site)
    start, end = file.span(statement.site)
    local = free_name(file, call.site, f"{store.name}s", "values")
    match statement:
        case ir.Assign(targets=[ir.Sequence(elements=[_, ir.Name(id="_") as unused])], value=value) if value is call:
            edits.append(file.replace(unused.site, local))
        case ir.Evaluate(value=value) if value is call:
            edits.append(file.insert(start, f"_, {local} = "))
        case _:
            return None
    stored = store.after.replace(".append(", ".extend(").format(local)
    edits.append(file.insert(end, f"{file.source.newline}{file.indentation(statement.site)}{stored}"))
    title = f"Return `{store.name}` for each step"
    return Fix(title, in_order(edits), changes="all of them are stored after the loop")
