"""Stores that traced code makes outside, moved to where the traced function is called: its results carry the values."""

from __future__ import annotations

from typing import NamedTuple, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Edit, Fix
from jaxlint.rewrite.bindings import bindings, defining_scope
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.results import Receiver, own_returns, return_also
from jaxlint.rewrite.statements import free_name, removed
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
from jaxlint.rule import File
from jaxlint.rules.host.undeclared import undeclared
from jaxlint.semantics.model import Demand


class Store(NamedTuple):
    """A store taken apart: the name that holds the value inside, what is done with it outside, and the edits inside."""

    name: str
    target: str  # what takes the result outside
    after: str  # a statement that comes next, if any
    edits: list[Edit]
    declared: str  # the variable that was declared `global` or `nonlocal`, if it is one


def moved_out(demand: Demand, file: File) -> Optional[Fix]:
    """The fix that returns what is stored, and stores it where the function is called."""
    statement, function = file.unit.statement(demand.site), file.unit.scope(demand.site)
    if not isinstance(function, ir.Function) or function.is_lambda or not _is_reached(file, statement, function):
        return None
    store = _taken_apart(file, statement, function)
    if store is None:
        return None
    if store.declared:
        edits = undeclared(file, function, store.declared)
        if edits is None:
            return None
        store.edits.extend(edits)
    if can_be_wrapped(file, function):
        return _in_wrapper(file, function, store)
    return _stacked(file, function, store) or _at_the_calls(file, function, store)


def _in_wrapper(file: File, function: ir.Function, store: Store) -> Optional[Fix]:
    around = Around(results={store.name: store.target}, after=[store.after] if store.after else [])
    if store.declared:
        around.before.append(f"global {store.declared}")
    edits = wrapped(file, function, around)
    if edits is None:
        return None
    said = f"compile a function that returns `{store.name}` too, and store it in one around it, which is called in its place"
    return _fix(said, [*edits, *store.edits], Applicability.UNSAFE)


def _at_the_calls(file: File, function: ir.Function, store: Store) -> Optional[Fix]:
    calls = visible_calls(file, function, ("jax.jit",))
    if not calls or (not function.decorators and any(not use.transforms for use in calls)):
        return None  # a helper: the store would still be made in traced code
    owner = defining_scope(file.unit, function.site, store.declared) if store.declared else None

    def receive(call: ir.Call) -> Optional[Receiver]:
        scope = file.unit.scope(call.site)
        if store.declared and (scope is not owner or not isinstance(scope, ir.Function)):
            return None
        if store.after:
            local = free_name(file, call.site, store.name)
            return Receiver(local, store.after.replace(f"({store.name})", f"({local})"))
        return Receiver(store.target)

    change = return_also(file, function, store.name, receive)
    if change is None:
        return None
    said = f"return `{store.name}` too, and store it at each call"
    return _fix(said, [*change.edits, *store.edits], change.level)


def _stacked(file: File, function: ir.Function, store: Store) -> Optional[Fix]:
    """The body of a `scan` that returns nothing for each step: it returns the value, and the list gets all of them."""
    uses = [
        each for each in file.unit.own
        if isinstance(each, ir.Name) and each.id == function.name
        and defining_scope(file.unit, each.site, each.id) is file.unit.scope(file.unit.parent(function.site).site)
    ]  # fmt: skip
    call = file.unit.parent(uses[0].site) if len(uses) == 1 else None
    if not isinstance(call, ir.Call) or not call.args or call.args[0] is not uses[0] or ".append(" not in store.after:
        return None
    if any(getattr(value, "name", "") != "jax.lax.scan" for value in file.values(call.func.site)):
        return None
    statement, returns = file.unit.statement(call.site), own_returns(function)
    pairs = [each.value for each in returns]
    if not pairs or not isinstance(statement, ir.Evaluate) or statement.value is not call:
        return None
    edits = list(store.edits)
    for pair in pairs:
        if not isinstance(pair, ir.Sequence) or len(pair.elements) != 2:
            return None
        second = pair.elements[1]
        if not isinstance(second, ir.Constant) or second.value is not None:
            return None
        edits.append(file.replace(second.site, store.name))
    local = free_name(file, call.site, f"{store.name}s", "values")
    stored = store.after.replace(".append(", ".extend(").replace(f"({store.name})", f"({local})")
    start, end = file.span(statement.site)
    edits += [file.insert(start, f"_, {local} = "), file.insert(end, f"{file.source.newline}{file.indentation(statement.site)}{stored}")]
    return _fix(f"return `{store.name}` for each step, and store all of them after the loop", edits, Applicability.UNSAFE)


def _fix(said: str, edits: list[Edit], level: Applicability) -> Fix:
    return Fix(said, in_order(edits), level)


def _is_reached(file: File, statement: ir.Statement, function: ir.Function) -> bool:
    """Whether the function runs the statement each time, before it returns."""
    if not any(each is statement for each in function.body):
        return False
    start = file.span(statement.site)[0]
    return all(file.span(each.site)[0] > start for each in own_returns(function))


def _taken_apart(file: File, statement: ir.Statement, function: ir.Function) -> Optional[Store]:
    if isinstance(statement, ir.Assign) and len(statement.targets) == 1:
        return _of_target(file, function, statement.targets[0])
    if isinstance(statement, ir.Evaluate) and isinstance(statement.value, ir.Call):
        return _of_call(file, function, statement, statement.value)
    return None


def _of_target(file: File, function: ir.Function, target: ir.Node) -> Optional[Store]:
    code = file.code(target.site)
    if isinstance(target, ir.Name):
        return Store(code, code, "", [], code)
    if isinstance(target, ir.Attribute):
        name = target.attr.strip("_")
    elif isinstance(target, ir.Subscript) and isinstance(target.index, ir.Constant) and isinstance(target.index.value, str):
        name = target.index.value
    else:
        return None
    if not name.isidentifier():
        return None
    name = free_name(file, function.body[0].site, name, f"new_{name}")
    start = file.span(target.site)[0]
    same = [each for each in ir.walk(function.body) if type(each) is type(target) and file.code(each.site) == code]
    stores = [each for each in same if isinstance(file.unit.parent(each.site), ir.Assign) and _is_target(file, each)]
    if len(stores) != 1 or any(file.span(each.site)[0] < start for each in same):
        return None  # what is read before is the old value
    root: ir.Node = target
    while isinstance(root, (ir.Attribute, ir.Subscript)):
        root = root.value
    if not isinstance(root, ir.Name) or bindings(function, root.id):
        return None
    return Store(name, code, "", [file.replace(each.site, name) for each in same], "")


def _is_target(file: File, node: ir.Node) -> bool:
    parent = file.unit.parent(node.site)
    return isinstance(parent, ir.Assign) and any(each is node for each in parent.targets)


def _of_call(file: File, function: ir.Function, statement: ir.Statement, call: ir.Call) -> Optional[Store]:
    """`seen.append(value)`, and any other call of a method of something outside with one argument."""
    if not isinstance(call.func, ir.Attribute) or len(call.args) != 1 or call.keywords or isinstance(call.args[0], ir.Starred):
        return None
    root: ir.Node = call.func.value
    while isinstance(root, (ir.Attribute, ir.Subscript)):
        root = root.value
    if not isinstance(root, ir.Name) or bindings(function, root.id):
        return None
    if any(parameter.name == root.id and parameter.default is not None for parameter in function.parameters):
        return None
    holder = file.code(call.func.value.site)
    if any(file.code(each.site) == holder for each in ir.walk(function.body) if each is not call.func.value and type(each) is type(call.func.value)):
        return None  # the container is read in traced code as well
    value = call.args[0]
    if isinstance(value, ir.Name) and len(bindings(function, value.id)) == 1:
        gone = removed(file, statement)
        name, edits = value.id, [] if gone is None else [gone]
        if gone is None:
            return None
    else:
        name = free_name(file, function.body[0].site, "value", "entry", "stored")
        edits = [file.replace(statement.site, f"{name} = {argument(file, value.site)}")]
    return Store(name, name, f"{file.code(call.func.site)}({name})", edits, "")


