"""What traced code does to the world outside, moved out: into one function around it, or to where it is called."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import NamedTuple

from jaxlint.analysis.checkers.trace_side_effects import SideEffectInTracedCode, TracerLeak
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.models.host_effects import HostClockOrIoInTracedCode
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope, is_assigned, names_of, only_target, own_returns, parameter_of
from jaxlint.rewrite.calls import Receiver, return_also, visible_calls
from jaxlint.rewrite.changes import EACH_CALL, ONE_RESULT_MORE
from jaxlint.rewrite.draft import Draft, in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
from jaxlint.rewrite.statements import free_name, removed
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
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
        call = statement.value if isinstance(statement, ir.Evaluate) else None
        if site != hazard.site and isinstance(call, ir.Call) and file.api_name(call.func.site):
            return None  # a loop of JAX, which traces what it is given
        if isinstance(function, ir.Function) and can_be_wrapped(file, function, nested):
            return Place(function, statement)
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


class Store(NamedTuple):
    """A store taken apart: the name that holds the value inside, what is done with it outside, and the edits inside."""

    name: str  # or several, with commas
    target: str  # what takes the result outside
    after: str  # a statement that comes next, if any, as a template for `str.format` with the names
    edits: list[Edit]
    declared: str  # the variable that was declared `global` or `nonlocal`, if it is one


@or_none
def taken_apart(file: File, statement: ir.Statement, function: ir.Function, around: bool = False) -> Store:
    """The store that a statement makes each time the function runs; it reads nothing that it changes.

    With ``around`` what is done outside can read the parameters.
    """
    start, target = file.span(statement.site)[0], only_target(statement)
    require(statement in function.body)
    require(all(file.span(each.site)[0] > start for each in own_returns(function)))
    if isinstance(statement, ir.Assign):
        return _of_target(file, function, statement, known(target))
    return _of_call(file, function, expect(ir.Evaluate, statement), around)


def _of_target(file: File, function: ir.Function, statement: ir.Assign, target: ir.Node) -> Store:
    code = file.code(target.site)
    same = [each for each in ir.walk(function.body) if type(each) is type(target) and file.code(each.site) == code]
    others = [each for each in same if each is not target]
    if isinstance(target, ir.Name):
        end = file.span(statement.site)[1]
        require(all(file.span(each.site)[0] >= end for each in others))  # else the old value is read
        require(len(bindings(function, code)) < 3)  # of which `global` is one
        return Store(code, code, "", [], code)
    match target:
        case ir.Attribute(attr=attribute):
            name = attribute.strip("_")
        case ir.Subscript(index=ir.Constant(value=str(name))):
            pass
        case _:
            raise NoFix
    require(name.isidentifier())
    start, root = file.span(target.site)[0], expect(ir.Name, ir.root_of(target))
    require(not any(is_assigned(file.unit, each) or file.span(each.site)[0] < start for each in others))
    require(not bindings(function, root.id))
    value, gone = statement.value, removed(file, statement)
    if isinstance(value, ir.Name) and gone is not None and len(bindings(function, value.id)) == 1:
        return Store(value.id, code, "", [gone, *(file.replace(each.site, value.id) for each in others)], "")
    name = free_name(file, function.body[0].site, name, f"new_{name}")
    return Store(name, code, "", [file.replace(each.site, name) for each in same], "")


def _of_call(file: File, function: ir.Function, statement: ir.Evaluate, around: bool) -> Store:
    """`seen.append(value)`, and any other call of something outside: what the function computes for it is returned."""
    call, gone = expect(ir.Call, statement.value), known(removed(file, statement))
    root, text = expect(ir.Name, ir.root_of(call.func)), file.code(call.site)
    require(not bindings(function, root.id) and "\n" not in text)
    require(not any(each.name == root.id and each.default is not None for each in function.parameters))
    changed = call.func.value if isinstance(call.func, ir.Attribute) else call.func
    holder = file.code(changed.site)
    same = [each for each in ir.walk(function.body) if type(each) is type(changed) and file.code(each.site) == holder]
    require(len(same) == 1)  # else the container is read in traced code as well
    around &= not any("donate" in file.code(each.site) for each in function.decorators)  # it is gone after the call
    names: list[str] = []
    made: list[str] = []
    template, at = "", 0
    for given in (*call.args, *call.keywords):
        value: ir.Node = given.value if isinstance(given, ir.Keyword) else given
        match value:
            case ir.Call(func=ir.Name(id="float" | "int" | "bool"), args=[cast], keywords=()):
                value = cast  # what JAX cannot do while it traces
        read = names_in(value) & function.locals
        if not read or around and isinstance(value, ir.Name) and parameter_of(function, value.id):
            continue
        require(not isinstance(value, (ir.Starred, ir.Format)))
        name = value.id if isinstance(value, ir.Name) else ""
        if name in names or not (len(bindings(function, name)) == 1 or parameter_of(function, name)):
            candidates = (each for each in ("value", "entry", "stored", "other") if each not in names)
            name = free_name(file, function.body[0].site, *candidates)
            made.append(f"{name} = {argument(file, value.site)}")
        first, last = (offset - file.span(call.site)[0] for offset in file.span(value.site))
        template += f"{_literal(text[at:first])}{{{len(names)}}}"
        at = last
        names.append(name)
    require(names and len(set(names)) == len(names))
    edits = [file.replace(statement.site, f"{file.source.newline}{file.indentation(statement.site)}".join(made))]
    name = ", ".join(names)
    return Store(name, name, template + _literal(text[at:]), edits if made else [gone], "")


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def undeclare(draft: Draft, function: ir.Function, name: str) -> None:
    """Takes ``name`` out of the `global` and `nonlocal` statements of a function."""
    for node in ir.walk(function.body, into_scopes=False):
        if not isinstance(node, (ir.Global, ir.Nonlocal)) or name not in node.names:
            continue
        others = ", ".join(each for each in node.names if each != name)
        if others:
            draft.replace(node.site, f"{'global' if isinstance(node, ir.Global) else 'nonlocal'} {others}")
        else:
            draft.remove(node)


def place(hazard: TracerLeak | SideEffectInTracedCode, file: File) -> str:
    """What holds the value afterwards, as the code names it."""
    node = file.unit.nodes[hazard.site]
    if isinstance(node, ir.Call) and hazard.store.where == "container" and isinstance(node.func, ir.Attribute):
        return f"`{file.code(node.func.value.site, 40)}`"
    if isinstance(node, ir.Call) and hazard.store.where == "attribute":  # setattr
        return f"an attribute of `{file.code(node.args[0].site, 40)}`"
    if isinstance(node, ir.Call):
        return f"the cache of `{file.code(node.func.site, 40)}`"
    return f"`{file.code(hazard.site, 40)}`"


def value(hazard: TracerLeak | SideEffectInTracedCode, file: File) -> str:
    return f"`{file.code(hazard.operand, 40)}`"
