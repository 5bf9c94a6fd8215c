"""Where a name gets its value and where it is read, in one scope: what a fix must know to move code."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from jaxlint.ir import nodes as ir


def bindings(scope: ir.Scope, name: str) -> list[ir.Node]:
    """The statements and expressions of a scope's body that give ``name`` a value or take it away."""
    return list(_bound_in(scope).get(name, ()))


@functools.lru_cache(maxsize=16)
def _bound_in(scope: ir.Scope) -> dict[str, list[ir.Node]]:
    found: dict[str, list[ir.Node]] = {}
    for node in ir.walk(scope.body, into_scopes=False):
        for name in bound_by(node):
            found.setdefault(name, []).append(node)
    return found


@functools.lru_cache(maxsize=16)
def unpacked(scope: ir.Scope) -> frozenset[str]:
    """The names whose values a scope takes apart: `a, b = name`, `f(*name)`."""
    found = set()
    for node in ir.walk(scope.body, into_scopes=False):
        if isinstance(node, ir.Starred) or (
            isinstance(node, ir.Assign) and any(isinstance(target, ir.Sequence) for target in node.targets)
        ):
            if isinstance(node.value, ir.Name):
                found.add(node.value.id)
    return frozenset(found)


_BINDING = frozenset({
    ir.Annotate, ir.Assign, ir.Augment, ir.Define, ir.DefineClass, ir.Delete, ir.For, ir.Global, ir.Handler, ir.Import,
    ir.ImportFrom, ir.Nonlocal, ir.Pattern, ir.Walrus, ir.WithItem,
})  # fmt: skip


def bound_by(node: ir.Node) -> set[str]:
    """Names that one statement or expression binds by itself, what is nested in it left out."""
    if type(node) not in _BINDING:
        return set()
    if isinstance(node, (ir.Assign, ir.Delete)):
        return {found for target in node.targets for found in target_names(target)}
    if isinstance(node, (ir.Augment, ir.Annotate, ir.For, ir.Walrus)):
        return set(target_names(node.target))
    if isinstance(node, ir.WithItem):
        return set(target_names(node.target)) if node.target is not None else set()
    if isinstance(node, ir.Handler):
        return {node.name} if node.name is not None else set()
    if isinstance(node, ir.Define):
        return {node.function.name}
    if isinstance(node, ir.DefineClass):
        return {node.definition.name}
    if isinstance(node, (ir.Import, ir.ImportFrom)):
        return {alias or name.partition(".")[0] for name, alias in node.names}
    if isinstance(node, (ir.Global, ir.Nonlocal)):
        return set(node.names)
    if isinstance(node, ir.Pattern):
        return set(node.names)
    return set()


def target_names(target: ir.Node) -> list[str]:
    """Names that an assignment to ``target`` binds; `x[i] = …` and `x.a = …` bind none."""
    if isinstance(target, ir.Name):
        return [target.id]
    if isinstance(target, ir.Starred):
        return target_names(target.value)
    if isinstance(target, ir.Sequence):
        return [name for element in target.elements for name in target_names(element)]
    return []


def own_returns(function: ir.Function) -> list[ir.Return]:
    """The returns of a function, those of functions inside it left out."""
    return [each for each in ir.statements(function.body, into_scopes=False) if isinstance(each, ir.Return)]


def only_result(function: ir.Function) -> ir.Expression | None:
    """What a function returns, where it returns in one place."""
    returns = own_returns(function)
    return returns[0].value if len(returns) == 1 else None


def assigned_pairs(assign: ir.Assign) -> Iterator[tuple[ir.Expression, ir.Expression]]:
    """The targets of an assignment with their values, element by element where a display is unpacked: `a, b = x, y`."""
    for target in assign.targets:
        if isinstance(target, ir.Sequence) and isinstance(assign.value, ir.Sequence):
            yield from zip(target.elements, assign.value.elements)
        else:
            yield target, assign.value


def declared_names(definition: ir.ClassDefinition) -> list[str]:
    """The names that the body of a class annotates, in their order: the fields of a dataclass, without inherited ones."""
    return [
        each.target.id for each in definition.body if isinstance(each, ir.Annotate) and isinstance(each.target, ir.Name)
    ]


def enclosing_loops(unit: ir.Unit, site: int) -> Iterator[ir.For | ir.While]:
    """The loops around a place, in its scope, the innermost first."""
    for around in unit.ancestors(site):
        if isinstance(around, (ir.For, ir.While)):
            yield around
        if isinstance(around, ir.Scope):
            return


def innermost_loop(unit: ir.Unit, site: int) -> ir.For | ir.While | None:
    """The innermost loop around a place, in its scope."""
    return next(enclosing_loops(unit, site), None)


def ends(block: Iterable[ir.Node]) -> bool:
    """Whether a block leaves the loop around it, at the first pass."""
    return any(isinstance(each, (ir.Break, ir.Return, ir.Raise)) for each in block)


def only_value(scope: ir.Scope, name: str) -> ir.Expression | None:
    """The expression assigned to ``name`` where the scope binds it once, by a plain assignment."""
    found = bindings(scope, name)
    statement = found[0] if len(found) == 1 else None
    if isinstance(statement, ir.Assign) and isinstance(only_target(statement), ir.Name):
        return statement.value
    return None


def _held(scope: ir.Scope, name: str) -> ir.Expression | None:
    """The expression assigned to ``name`` where the scope binds it once, with an annotation or without."""
    found = bindings(scope, name)
    statement = found[0] if len(found) == 1 else None
    return statement.value if isinstance(statement, ir.Annotate) else only_value(scope, name)


def only_target(statement: ir.Node | None) -> ir.Expression | None:
    """What an assignment gives its value to, where that is one target, which may be several in a row."""
    return statement.targets[0] if isinstance(statement, ir.Assign) and len(statement.targets) == 1 else None


def is_assigned(unit: ir.Unit, node: ir.Node) -> bool:
    """Whether an expression is a target of an assignment, by itself."""
    above = unit.parent(node.site)
    return isinstance(above, ir.Assign) and any(target is node for target in above.targets)


def targets_of(node: ir.Node) -> list[ir.Node]:
    """What a statement gives a value to, or takes it from: of assignments, loops, `with` and `del`."""
    if isinstance(node, (ir.Assign, ir.Delete)):
        return list(node.targets)
    target = getattr(node, "target", None)
    return [] if target is None else [target]


def is_target(unit: ir.Unit, node: ir.Node) -> bool:
    """Whether an expression is given a value here, by itself or with others: `a, *node = b`."""
    above = unit.parent(node.site)
    while isinstance(above, (ir.Sequence, ir.Starred)):
        node, above = above, unit.parent(above.site)
    return above is not None and any(target is node for target in targets_of(above))


def names_of(unit: ir.Unit, scope: ir.Node | None, name: str) -> list[ir.Name]:
    """Where a file names a variable of a scope."""
    return [
        node for node in unit.own
        if isinstance(node, ir.Name) and node.id == name and defining_scope(unit, node.site, name) is scope
    ]  # fmt: skip


def resolved(unit: ir.Unit, node: ir.Node) -> ir.Node:
    """The expression that a local name is bound to, where it is bound once; else the node itself."""
    value = _held(unit.scope(node.site), node.id) if type(node) is ir.Name else None
    return node if value is None else value


def bound_to(unit: ir.Unit, node: ir.Node) -> ir.Node:
    """Like ``resolved``, whichever scope binds the name."""
    scope = defining_scope(unit, node.site, node.id) if type(node) is ir.Name else None
    value = only_value(scope, node.id) if scope is not None and type(node) is ir.Name else None
    return node if value is None else value


def held_by_object(unit: ir.Unit, node: ir.Attribute) -> ir.Node | None:
    """What the class around a method gives to an attribute of its objects, where that is one expression."""
    owner = unit.scope(unit.scope(node.site).site)
    given = [
        each.value for each in ir.walk(owner.body) if isinstance(each, ir.Assign)
        for target in each.targets if isinstance(target, ir.Attribute) and target.attr == node.attr
    ]  # fmt: skip
    return given[0] if len(given) == 1 else None


def binding_of(unit: ir.Unit, node: ir.Node) -> ir.Node | None:
    """What binds a name, where that is one statement or expression in the body of one scope."""
    scope = defining_scope(unit, node.site, node.id) if type(node) is ir.Name else None
    found = bindings(scope, node.id) if scope is not None and type(node) is ir.Name else []
    return found[0] if len(found) == 1 else None


def displayed(unit: ir.Unit, node: ir.Node) -> list[ir.Expression] | None:
    """The elements of a display, or of the one a name is bound to; None where they cannot be told."""
    if isinstance(node, ir.Name):
        scope = defining_scope(unit, node.site, node.id)
        value = _held(scope, node.id) if scope is not None else None
        node = value if value is not None else node
    if not isinstance(node, ir.Sequence) or any(isinstance(element, ir.Starred) for element in node.elements):
        return None
    return list(node.elements)


def parameter_of(scope: ir.Scope, name: str) -> ir.Parameter | None:
    """The parameter called ``name``, where the body never binds it anew."""
    if not isinstance(scope, ir.Function) or bindings(scope, name):
        return None
    return next((parameter for parameter in scope.parameters if parameter.name == name), None)


def defining_scope(unit: ir.Unit, site: int, name: str) -> ir.Scope | None:
    """The scope whose variable ``name`` is where ``site`` stands; None where it is a builtin or an import by star.

    None as well for the variable of a comprehension.
    """
    inner, innermost = unit.nodes[site], True
    for above in unit.ancestors(site):
        if isinstance(above, ir.Comprehension) and name in above.locals:
            return None
        if isinstance(above, ir.Scope):
            # Decorators, defaults and annotations belong to the scope around a function.
            inside = isinstance(above, ir.Module) or inner in above.body
            if inside and name in above.locals and (innermost or not isinstance(above, ir.ClassDefinition)):
                return above
            innermost = innermost and not inside
        inner = above
    return None


def reads_of(unit: ir.Unit, assign: ir.Assign) -> list[ir.Name] | None:
    """Where the name that an assignment binds is read; None where it binds more, or is not the only one to bind it."""
    target, scope = assign.targets[0], unit.scope(assign.site)
    if len(assign.targets) != 1 or not isinstance(target, ir.Name) or len(bindings(scope, target.id)) != 1:
        return None
    return [node for node in names_of(unit, scope, target.id) if node is not target]


def passed_function(unit: ir.Unit, node: ir.Node) -> ir.Function | None:
    """The function of the file that an argument stands for, where nothing else uses it and nothing decorates it."""
    function: ir.Function
    if isinstance(node, ir.Lambda):
        function = node.function
        return function
    if not isinstance(node, ir.Name):
        return None
    scope = defining_scope(unit, node.site, node.id)
    found = bindings(scope, node.id) if scope is not None else []
    if scope is None or len(found) != 1 or not isinstance(found[0], ir.Define):
        return None
    function = found[0].function
    uses = [each for each in ir.walk(scope.body) if isinstance(each, ir.Name) and each.id == node.id]
    return function if uses == [node] and not function.decorators else None
