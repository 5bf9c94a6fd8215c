"""Attributes that a compiled method reads of a static `self`, and statements of other methods that change them for certain.

A method that computes an attribute from what it was before changes it at each call, and so does one that assigns what it computed
after a call of the compiled method, or in a loop around that call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by, ends, target_names

# What a new array, or a new training state of Flax, has in common with the one before.
METADATA = frozenset({"shape", "dtype", "ndim", "size", "apply_fn", "tx"})
_CLEARING = frozenset({"clear_cache", "clear_caches"})


class Changes:
    """Statements of a class that change what one of its methods, which is compiled, reads of `self`."""

    def __init__(
        self, unit: ir.Unit, cls: v.ClassValue, compiled: ir.Function, called: str | None = None, me: str | None = None
    ) -> None:
        self.unit = unit
        self.cls = cls
        self.compiled = compiled
        self.me = me or compiled.parameters[0].name  # what the object is called in it
        self.called = called or compiled.name  # the attribute that calls it
        methods = [each.function for each in cls.definition.body if type(each) is ir.Define]
        self.methods = {each.name: each for each in methods if each.parameters and _may_run(each)}
        self.run: dict[str, ir.Function] = {}  # methods that run when it is traced
        self.members = list(self.traced())

    def traced(self) -> Iterator[tuple[ir.Function, list[ir.Attribute]]]:
        """The compiled function, and the methods that it runs, each with its attributes of the object."""
        todo = [(self.compiled, self.me)]
        while todo:
            function, me = todo.pop(0)
            members = list(_members(ir.walk(function.body), me))
            for node in members:
                method = self.methods.get(node.attr)
                if method is not None and method is not self.compiled and node.attr not in self.run:
                    self.run[node.attr] = method
                    todo.append((method, method.parameters[0].name))
            yield function, members

    def reads(self) -> Iterator[ir.Attribute]:
        """The first read of each attribute whose value is compiled in."""
        seen = set(self.methods)
        for function, _ in self.members:
            me = self.me if function is self.compiled else function.parameters[0].name
            seen |= {node.attr for each in ir.walk(function.body) for node in _members(_targets(each), me)}
        for _, members in self.members:
            for node in members:
                above = self.unit.parent(node.site)
                is_called = type(above) is ir.Call and above.func is node
                if node.attr in seen or is_called or (type(above) is ir.Attribute and above.attr in METADATA):
                    continue
                seen.add(node.attr)
                yield node

    def of(self, name: str) -> ir.Statement | None:
        """The first statement that changes an attribute between two calls of the compiled method."""
        if any(type(node) is ir.Attribute and node.attr in _CLEARING for node in self.unit.own):
            return None
        for statement in self.cls.definition.body:
            if type(statement) is not ir.Define or statement.function is self.compiled:
                continue
            method = statement.function
            if not method.parameters or (method.name.startswith("__") and method.name != "__call__"):
                continue
            if method.decorators or method.name in self.run:
                continue
            found = next((each for each in ir.statements(method.body) if self.changes(each, name, method)), None)
            if found is not None:
                return found
        return None

    def changes(self, statement: ir.Statement, name: str, method: ir.Function) -> bool:
        me = method.parameters[0].name
        if name not in {node.attr for node in _members(_targets(statement), me)}:
            return False
        value: ir.Node | None = getattr(statement, "value", None)
        if value is None or (type(value) is ir.Constant and type(statement) is not ir.Augment):
            return False
        calls = [node for node in ir.walk(method.body, into_scopes=False) if self.is_call(node, me)]
        loops = [each.site for each in self.around(statement, method) if isinstance(each, (ir.For, ir.While))]
        branches = {each.site for each in self.around(statement, method) if isinstance(each, (ir.If, ir.Try, ir.Match))}
        for call in calls:
            around = {each.site for each in self.around(call, method)}
            if around & set(loops) and (branches <= around or self.goes_on(statement)):
                return True
        if not self.is_repeated(method):
            return False
        from_before = type(statement) is ir.Augment or any(node.attr == name for node in _members(ir.walk([value]), me))
        return from_before or any(
            call.site < statement.site and branches <= {each.site for each in self.around(call, method)}
            for call in calls
        )

    def around(self, node: ir.Node, method: ir.Function) -> Iterator[ir.Node]:
        for outer in self.unit.ancestors(node.site):
            if outer is method:
                return
            yield outer

    def is_call(self, node: ir.Node, me: str) -> bool:
        """Whether this calls the compiled method of the object."""
        return type(node) is ir.Call and any(each.attr == self.called for each in _members([node.func], me))

    def goes_on(self, statement: ir.Statement) -> bool:
        """Whether a statement changes what was there, and the loop around it does not end with that."""
        return type(statement) is ir.Augment and not ends(getattr(self.unit.parent(statement.site), "body", ()))

    def is_repeated(self, method: ir.Function) -> bool:
        """Whether a method is to be called again: nothing in the file calls it, or a loop or another method of the class does."""
        uses = [node for node in self.unit.own if type(node) is ir.Attribute and node.attr == method.name]
        if not uses:
            return not method.name.startswith("_") or method.name == "__call__"
        for use in uses:
            for outer in self.unit.ancestors(use.site):
                if isinstance(outer, (ir.For, ir.While, ir.Comprehension)):
                    return True
                if not isinstance(outer, ir.Function):
                    continue
                is_method = self.unit.parent(outer.site) in self.cls.definition.body
                if is_method and outer is not method and not outer.name.startswith("_"):
                    return True
        return False


def _may_run(function: ir.Function) -> bool:
    """Whether a method runs where an attribute names it: it is no function without `self`, and no other transform's."""
    return all(ir.dotted(each) == "property" for each in function.decorators)


def _targets(node: ir.Node) -> list[ir.Node]:
    """What a statement binds, displays taken apart."""
    targets = list(node.targets) if type(node) is ir.Assign else []
    if isinstance(node, (ir.Augment, ir.Annotate)):
        targets = [node.target]
    return [part for target in targets for part in (target.elements if type(target) is ir.Sequence else [target])]


def _members(nodes: Iterable[ir.Node], me: str) -> Iterator[ir.Attribute]:
    """The attributes of ``me`` among nodes."""
    for node in nodes:
        if type(node) is ir.Attribute and type(node.value) is ir.Name and node.value.id == me:
            yield node


def loops_around(unit: ir.Unit, sites: Iterable[int]) -> Iterator[tuple[int, ir.For | ir.While]]:
    """The loops that run places again, each with its place, up to the scope around it; none that ends in its first pass."""
    for site in sites:
        for around in unit.ancestors(site):
            if isinstance(around, ir.Scope):
                break
            if isinstance(around, (ir.For, ir.While)) and not ends(around.body):
                yield site, around


def may_be_of_other_shapes(call: ir.Node, loop: ir.For | ir.While | ir.With) -> bool:
    """Whether what is passed may have another shape in each pass: a slice, or what the counter of the loop decides."""
    if any(type(node) is ir.Slice for node in ir.walk([call])):
        return True
    if type(loop) is not ir.For:
        return False
    counters = set(_counters(loop.target, loop.iterable))
    made = {
        name
        for each in ir.statements(loop.body, into_scopes=False)
        if type(each) is ir.Assign and counters & names_in([each.value])
        for name in bound_by(each)
    }
    return bool((counters | made) & names_in([call]))


def _counters(target: ir.Node, over: ir.Node) -> Iterator[str]:
    """Names that a `for` binds to numbers, or to what a display or a function gives, and not to the elements of a variable."""
    name = over.func.id if type(over) is ir.Call and type(over.func) is ir.Name else None
    parts = target.elements if isinstance(target, ir.Sequence) else []
    if type(over) is ir.Call and name == "enumerate" and len(parts) == 2 and over.args:
        yield from target_names(parts[0])
        yield from _counters(parts[1], over.args[0])
    elif type(over) is ir.Call and name == "zip" and len(parts) == len(over.args):
        for part, each in zip(parts, over.args):
            yield from _counters(part, each)
    elif name is not None or type(over) is ir.Sequence:
        yield from target_names(target)


def changing(loop: ir.For | ir.While | ir.With) -> set[str]:
    """Names that a loop binds."""
    targets = set(target_names(loop.target)) if type(loop) is ir.For else set()
    return targets.union(*(bound_by(each) for each in ir.statements(loop.body, into_scopes=False)))


def names_in(nodes: Iterable[ir.Node]) -> set[str]:
    return {each.id for each in ir.walk(nodes) if type(each) is ir.Name}
