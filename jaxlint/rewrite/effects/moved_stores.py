"""Stores that traced code makes outside, moved to where the traced function is called: its results carry the values."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, names_of, own_returns
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import ONE_RESULT_MORE
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.effects.dropped_globals import undeclare
from jaxlint.rewrite.effects.hoisted_effects import moved_outside
from jaxlint.rewrite.effects.stored_values import Store, taken_apart
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
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


@or_none
def _moved(hazard: Hazard, file: File, site: int) -> Fix | None:
    statement, function, draft = file.unit.statement(site), expect(ir.Function, file.unit.scope(site)), Draft(file)
    require(not function.is_lambda)
    if can_be_wrapped(file, function):
        return moved_outside(hazard, file)
    store = known(taken_apart(file, statement, function))
    if store.declared:
        undeclare(draft, function, store.declared)
        store.edits.extend(draft.edits)
    return _stacked(file, function, store) or _at_the_calls(file, function, store) or moved_outside(hazard, file, True)


@or_none
def _at_the_calls(file: File, function: ir.Function, store: Store) -> Fix:
    calls = known(visible_calls(file, function, ("jax.jit",)))
    require(function.decorators or all(use.transforms for use in calls))  # in a helper it would still be traced code
    owner = defining_scope(file.unit, function.site, store.declared) if store.declared else None

    @or_none
    def receive(call: ir.Call) -> Receiver:
        scope = file.unit.scope(call.site)
        require(not store.declared or (scope is owner and isinstance(scope, ir.Function)))
        require(not function.is_method or _is_of_same_object(file, function, call))
        if not store.after:
            return Receiver(store.target)
        names = [free_name(file, call.site, each) for each in store.name.split(", ")]
        return Receiver(", ".join(names), store.after.format(*names))

    change, draft = known(return_also(file, function, store.name, receive)), Draft(file)
    draft.edits += [*change.edits, *store.edits]
    return draft.fix(f"Return `{store.name}` too, and store it at each call", ONE_RESULT_MORE, change.level)


def _is_of_same_object(file: File, method: ir.Function, call: ir.Call) -> bool:
    """Whether a method of the same class calls, on its own object."""
    caller = file.unit.scope(call.site)
    if not isinstance(caller, ir.Function) or not caller.is_method or not caller.parameters or not method.parameters:
        return False
    me = caller.parameters[0].name
    same_class = file.unit.scope(caller.site) is file.unit.scope(method.site)
    receiver = call.func.value if isinstance(call.func, ir.Attribute) else call
    return same_class and me == method.parameters[0].name == file.code(receiver.site)


@or_none
def _stacked(file: File, function: ir.Function, store: Store) -> Fix:
    """The body of a `scan` that returns nothing for each step: it returns the value, and the list gets all of them."""
    use = only(names_of(file.unit, file.unit.scope(function.site), function.name))
    require(store.after.endswith(".append({0})"))
    call, draft = expect(ir.Call, file.unit.parent(use.site)), Draft(file)
    require(use in call.args[:1] and file.is_api(call.func.site, "jax.lax.scan"))
    for each in own_returns(function):
        match each.value:
            case ir.Sequence(elements=[_, ir.Constant(value=None) as second]):
                draft.replace(second.site, store.name)
            case _:
                raise NoFix
    require(draft.edits)
    statement, local = file.unit.statement(call.site), free_name(file, call.site, f"{store.name}s", "values")
    match statement:
        case ir.Assign(targets=[ir.Sequence(elements=[_, ir.Name(id="_") as unused])], value=value) if value is call:
            draft.replace(unused.site, local)
        case ir.Evaluate(value=value) if value is call:
            draft.insert(file.span(statement.site)[0], f"_, {local} = ")
        case _:
            raise NoFix
    draft.below(statement, store.after.replace(".append(", ".extend(").format(local))
    draft.edits += store.edits
    return draft.fix(f"Return `{store.name}` for each step", "all of them are stored after the loop")
