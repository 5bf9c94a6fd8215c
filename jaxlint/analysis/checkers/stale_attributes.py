"""Attributes and items that compiled code reads from outside, and that the loop around its call changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.transforms.changing_attributes import (
    METADATA,
    Changes,
    changing,
    loops_around,
    may_be_of_other_shapes,
    names_in,
)
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, ends, target_names

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call
    from jaxlint.analysis.domain.context import Frame

_OF_OBJECTS = frozenset({"jax.jit", "jax.pmap"})
Path = tuple[object, ...]  # of names of attributes, and of keys in a tuple each


@hazard_class(consequence=Consequence.SILENT)
class StaleAttribute(Hazard):
    """A compiled function reads what is changed between its calls. Site: where it reads; operand: the same."""

    text: str
    function: v.Value
    changed: int  # the statement that changes it
    call: int | None = None  # in the loop with that statement


class ChangingAttributes(Component):
    """What a loop stores in objects that a compiled function, which it calls, reads from outside."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.seen: set[int] = interpreter.per_module(set())  # sites of functions that objects compile
        # By id of a compiled function that was called: the function, and how often it had been given again by then.
        self.calls: dict[int, tuple[v.Transformed, int]] = {}

    def in_loop(
        self, made: v.Transformed, function: v.FunctionValue, call: Call, names: Iterable[tuple[ir.Name, Frame]]
    ) -> bool:
        """Note the first attribute, or item, that a compiled function reads and a loop around its call changes, if any."""
        at = self.changing_loops(made, function, call)
        reads = [(*read, frame) for name, frame in names for read in self.reads(name, frame)] if at else []
        for root, path, node, frame in reads:
            for site, loop in at:
                change = self.change(root, path, frame, loop, site == call.site)
                if change is not None and not may_be_of_other_shapes(self.i.unit.nodes[site], loop):
                    hazard = StaleAttribute(ir.dotted(node) or root.id, made.function, change.site, site)
                    self.i.report(hazard, node, node, v.Unknown(v.fresh()), api=made.transform.name)
                    return True
        return False

    def of_object(self, made: v.Transformed, call: Call) -> None:
        """Note an attribute of an object that its compiled method reads, and that another method changes.

        The object compiles the method once, when it is made: `self._step = jax.jit(self.step)`.
        """
        unit, function = self.i.unit, v.untransformed(made)
        nested = type(function) is v.FunctionValue and _decorates(made.site, function.function)
        at = function.function.site if nested else made.site  # type: ignore[attr-defined]
        maker = unit.scope(at) if at in unit and made.transform.name in _OF_OBJECTS else None
        if not isinstance(maker, ir.Function) or not maker.parameters or not maker.name.startswith("__"):
            return
        me = maker.parameters[0].name
        called = ir.last_part(getattr(call.node, "func", None))
        for held in maker.body:
            value = held.value if type(held) is ir.Assign and ir.dotted(held.targets[0]) == f"{me}.{called}" else None
            if value is not None and (value.site == at or (nested and ir.dotted(value) == function.function.name)):  # type: ignore[attr-defined]
                break
        else:
            return
        if type(function) is v.BoundMethod and type(function.function) is v.FunctionValue:
            receiver: v.Value | None = function.receiver
            inner, name = function.function.function, None
        elif type(function) is v.FunctionValue and unit.scope(function.function.site) is maker:
            receiver, inner, name = self.held(me, function.frame), function.function, me
        else:
            return
        contents = self.i.contents(receiver) if receiver is not None else None
        cls = contents.cls if type(contents) is Instance else None
        if cls is None or unit.parent(maker.site) not in cls.definition.body or inner.site in self.seen:
            return
        if inner.site not in unit or not (name or inner.parameters):
            return
        if sum(_stores([each], f"{me}.{called}") for each in cls.definition.body) > 1:
            return  # it may be compiled anew after the change
        self.seen.add(inner.site)
        changes = Changes(unit, cls, inner, called, name)
        for read in changes.reads():
            change = changes.of(read.attr)
            if change is not None and isinstance(cls.lookup(read.attr), (v.Const, v.Array, v.Host, type(None))):
                hazard = StaleAttribute(read.attr, made.function, change.site)
                self.i.report(hazard, read, read, v.Unknown(v.fresh()), api=made.transform.name)

    def changing_loops(
        self, made: v.Transformed, function: v.FunctionValue, call: Call
    ) -> list[tuple[int, ir.For | ir.While]]:
        """The loops around a call, and around those that lead to it, with its place; none that makes the function."""
        unit, found = self.i.unit, []
        own = function.function
        sites = [own.site, *([] if _decorates(made.site, own) else [made.site])]
        scopes = [scope for scope in map(unit.scope, sites) if not isinstance(scope, ir.Module)]
        inside = {outer.site for each in sites for outer in unit.ancestors(each)}
        called = ir.dotted(getattr(call.node, "func", None))
        persistent = self.i.loop_entry[0] if self.goes_on(made) and self.i.loop_entry is not None else None
        if called is not None and "." in called:  # an attribute, which a method may compile anew
            owners = (each for each in unit.own if type(each) is ir.ClassDefinition)
            persistent = None if any(_stores(each.body, called) > 1 for each in owners) else persistent
        for site, loop in loops_around(unit, (call.site, *reversed(self.i.chain))):
            around = list(unit.ancestors(site))
            if loop.site in inside or not (
                loop is persistent or all(any(scope is each for each in around) for scope in scopes)
            ):
                continue
            if not _stores(loop.body, called):  # else it may be compiled anew after the change
                found.append((site, loop))
        return found

    def goes_on(self, made: v.Transformed) -> bool:
        """Whether the pass before called the very same object, which a function elsewhere has made."""
        turn = self.i.transforms.fresh.given.get(id(made), 0)
        before = self.calls.get(id(made))
        self.calls[id(made)] = made, turn
        return before == (made, turn) and self.i.loop_entry is not None and not self.i.silent

    def reads(self, name: ir.Name, frame: Frame) -> Iterator[tuple[ir.Name, Path, ir.Node]]:
        """The attribute or item that is read of a name from outside, or those that a property or method of it reads."""
        above = self.i.unit.parent(name.site)
        contents = self.i.contents(self.held(name.id, frame) or v.UNKNOWN) if type(above) is ir.Attribute else None
        todo = [above.attr] if type(contents) is Instance and type(above) is ir.Attribute else []
        seen: set[str] = set()
        while todo:
            attr = todo.pop()
            assert type(contents) is Instance
            method = contents.cls.lookup(attr)
            if type(method) is not v.FunctionValue or attr in seen or not method.function.parameters:
                continue
            seen.add(attr)
            for node in ir.walk(method.function.body):
                if type(node) is ir.Attribute and ir.dotted(node.value) == method.function.parameters[0].name:
                    todo.append(node.attr)
                    yield name, (node.attr,), above or name
        read = self.read(name) if not seen else None
        if read is not None:
            yield read

    def read(self, name: ir.Name) -> tuple[ir.Name, Path, ir.Node] | None:
        """The attribute or item that is read of a name from outside; None for the name itself, and for what is called."""
        path: list[object] = []
        node: ir.Node = name
        above = self.i.unit.parent(node.site)
        while True:
            part = _part(above, node)
            if part is None:
                break
            path.append(part)
            assert above is not None
            node = above
            above = self.i.unit.parent(node.site)
        called = type(above) is ir.Call and above.func is node
        if called or any(part in METADATA for part in path if isinstance(part, str)):
            return None
        return name, tuple(path), node

    def change(
        self, root: ir.Name, path: Path, frame: Frame, loop: ir.For | ir.While, is_direct: bool
    ) -> ir.Assign | ir.Augment | None:
        """The statement in a loop that gives an attribute or item another value in each pass, or in some of them."""
        for statement in ir.statements(loop.body, into_scopes=False):
            if not isinstance(statement, (ir.Assign, ir.Augment)):
                continue
            for target in statement.targets if isinstance(statement, ir.Assign) else [statement.target]:
                base, stored = _path(target)
                if (
                    base is None
                    or stored != path[: len(stored)]
                    or not (path or self.is_outer(base))
                    or not self.is_same(root, frame, base, is_direct)
                ):
                    continue
                block = getattr(self.i.unit.parent(statement.site), "body", ())
                if not ends(block) and _computes(statement, stored, loop, self.conditions(statement, loop)):
                    return statement
        return None

    def conditions(self, statement: ir.Statement, loop: ir.For | ir.While) -> list[ir.Node]:
        found: list[ir.Node] = []
        for outer in self.i.unit.ancestors(statement.site):
            if outer is loop:
                break
            if isinstance(outer, ir.If):
                found.append(outer.test)
        return found

    def is_same(self, read: ir.Name, frame: Frame, stored: ir.Name, is_direct: bool) -> bool:
        """Whether two names stand for one object: they are one variable, or hold it."""
        unit = self.i.unit
        scope = defining_scope(unit, read.site, read.id)
        if scope is not None and read.id == stored.id and defining_scope(unit, stored.site, stored.id) is scope:
            return True
        if not is_direct:
            return False
        first, second = self.held(read.id, frame), self.held(stored.id, self.i.frame)
        if type(first) is v.ModuleValue and type(second) is v.ModuleValue:
            return first.place.file == second.place.file
        return type(first) is v.Ref and type(second) is v.Ref and first.location == second.location

    def is_outer(self, name: ir.Name) -> bool:
        """Whether a function binds a variable of the module, or of a function around it."""
        scope = self.i.unit.scope(name.site)
        return isinstance(scope, ir.Function) and name.id in scope.globals | scope.nonlocals

    def held(self, name: str, frame: Frame | None) -> v.Value | None:
        while frame is not None:
            value = self.i.variables(frame).get(name)
            if value is not None:
                return self.i.look_up(value.place, value.name) if type(value) is v.Imported else value
            frame = frame.parent
        return None


def _stores(body: Iterable[ir.Statement], text: str | None) -> int:
    """How many statements at and below ``body`` bind a variable or an attribute."""
    found = 0
    for each in ir.statements(body):
        targets = each.targets if type(each) is ir.Assign else [getattr(each, "target", None)]
        found += any(text is not None and ir.dotted(part) == text for part in ir.walk(filter(None, targets)))
    return found


def _decorates(site: int, function: ir.Function) -> bool:
    return any(site == node.site for node in ir.walk(function.decorators))


def _part(above: ir.Node | None, node: ir.Node) -> object | None:
    """What is read of ``node``: the name of an attribute, or the key of an item in a tuple."""
    if type(above) is ir.Attribute:
        return above.attr
    if type(above) is ir.Subscript and above.value is node and type(above.index) is ir.Constant:
        return (above.index.value,)
    return None


def _path(target: ir.Node) -> tuple[ir.Name | None, Path]:
    """The variable and the attributes and items that lead from it to a target."""
    path: list[object] = []
    while isinstance(target, (ir.Attribute, ir.Subscript)):
        part = _part(target, target.value)
        if part is None:
            return None, ()
        path.append(part)
        target = target.value
    return (target, tuple(reversed(path))) if isinstance(target, ir.Name) else (None, ())


def _computes(
    statement: ir.Assign | ir.Augment, path: Path, loop: ir.For | ir.While, conditions: list[ir.Node]
) -> bool:
    """Whether a statement in a loop gives another value: it computes one from what it was, or from what the loop changes."""
    if isinstance(statement, ir.Augment):
        return True
    value = statement.value
    counted = set(target_names(loop.target)) if isinstance(loop, ir.For) else set()
    if isinstance(value, ir.Constant):  # a step of a schedule that is written out
        first = any(type(each) is ir.Constant and not each.value for each in ir.walk(conditions))
        return type(value.value) is float and not first and bool(counted & names_in(conditions))
    if path and any(_path(node)[1] == path for node in ir.walk([value])):
        return True
    return bool(changing(loop) & names_in([value]))
