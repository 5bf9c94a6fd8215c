"""Methods that are compiled: what `self` is to them.

To `jax.jit` a method is a function whose first argument is the object. Unless the class is a pytree, that
argument must be static; and what is static is looked up by the hash of the object, which for a plain class
says nothing of its attributes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, TypeGuard

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import arguments
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.signatures import Statics, signature_of
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.interpreter.hashing import by_identity
from jaxlint.analysis.keys.ready_keys import running_at
from jaxlint.analysis.transforms.changing_attributes import (
    Changes,
    changing,
    loops_around,
    may_be_of_other_shapes,
    names_in,
)
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_JIT = frozenset({"jax.jit", "jax.experimental.pjit.pjit"})
_NOT_METHODS = frozenset({"staticmethod", "classmethod"})


@hazard_class(consequence=Consequence.SILENT)
class JitMethodWithoutStaticSelf(Hazard):
    """A compiled method keeps its `self`. Site: the decorator, a call that finds another `self`, or what is read of it."""

    function: v.FunctionValue
    cls: v.ClassValue
    attribute: str | None = None  # what changed since it was compiled; None: `self` is not static
    compiled: int | None = None  # the call for which it was compiled
    changed: int | None = None  # the statement of another method, or of a loop around the calls, that changes it


class _ValuesAtCompilation(v.Value):
    """A field that an object has beside its own: what it held when one of its methods was compiled."""

    __slots__ = ("values", "call")

    def __init__(self, values: dict[str, v.Value], call: Call) -> None:
        self.values = values
        self.call = call

    @property
    def key(self) -> Hashable:
        return ("compiled", self.call.site)


class StaticSelf(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.read: dict[int, dict[str, ir.Attribute]] = {}  # site of a method -> what it reads of `self`
        self.reported: set[tuple[int, str]] = interpreter.per_module(set())  # sites of methods, and what they read

    # --- `self` is traced ---------------------------------------------------------------------

    def defined(self, cls: v.ClassValue) -> None:
        """A class is complete: its compiled methods cannot be called where `self` is traced."""
        for made in cls.members.values():
            if type(made) is not v.Transformed or made.transform.name not in _JIT or self.may_be_inherited(cls):
                continue
            function = made.function
            if type(function) is not v.FunctionValue or function.owner is not cls or function.function.is_lambda:
                continue
            first = function.function.parameters[:1]
            if not first or first[0].name != "self" or _NOT_METHODS & self.i.markers(function.function):
                continue
            statics = signature_of(self.i, function).statics(self.i, made)
            if statics is None or statics.position(0) or not self.i.transforms.not_arrays.is_plain(cls):
                continue
            node = self.i.unit.nodes[made.site]
            hazard = JitMethodWithoutStaticSelf(function, cls)
            self.i.report(hazard, node, node, made, api=made.transform.name)

    def may_be_inherited(self, cls: v.ClassValue) -> bool:
        """Whether others complete the class, and may register it: it is derived from, or lacks what its methods use."""
        name = cls.definition.name
        if any(type(base) is v.Api and base.name.startswith("abc.") for base in cls.bases) or cls.definition.keywords:
            return True
        return _is_incomplete(cls) or any(
            type(node) is ir.ClassDefinition and any(type(b) is ir.Name and b.id == name for b in node.bases)
            for node in self.i.unit.nodes
        )

    # --- `self` is static ---------------------------------------------------------------------

    def called(self, made: v.Transformed, call: Call, statics: Statics) -> None:
        """A call of a compiled method: what it reads of a static `self` is what it was at the first call."""
        function = made.function
        contents = self.i.contents(call.args[0]) if call.args else None
        if type(contents) is not Instance or not statics.position(0) or type(function) is not v.FunctionValue:
            return
        if made.transform.name not in _JIT or call.site in self.i.transforms.applied or call.star:
            return
        if not by_identity(contents.cls):
            return
        key = f"compiled at {made.site}"
        before = contents.fields.get(key)
        now = {name: contents.fields[name] for name in self.attributes(function) if name in contents.fields}
        if type(before) is not _ValuesAtCompilation:
            noted = {**contents.fields, key: _ValuesAtCompilation(now, call)}
            assert self.i.state is not None and type(call.args[0]) is v.Ref
            self.i.state.write(call.args[0].location, Instance(contents.cls, noted, contents.called))
            self.in_loop(made, function, contents.cls, call.args[0], call)
            return
        for name, value in now.items():
            old = before.values.get(name)
            if (function.function.site, name) in self.reported:
                continue
            if old is not None and _changed(old, value) and self.same_arguments(before.call, call):
                self.reported.add((function.function.site, name))
                hazard = JitMethodWithoutStaticSelf(function, contents.cls, name, before.call.site)
                self.i.report(hazard, call.node, call.node, made, api=made.transform.name)
                return

    def in_loop(self, made: v.Transformed, function: v.FunctionValue, cls: v.ClassValue, me: v.Ref, call: Call) -> None:
        """Note an attribute of `self` that each pass of a loop sets before, or after, a call of the compiled method."""
        read = self.attributes(function)
        for site, loop in loops_around(self.i.unit, (call.site, *reversed(self.i.chain))):
            if self.may_recompile(call, site, loop):
                continue
            for statement, attr in self.stores(site, loop, me):
                if (
                    attr in read
                    and (function.function.site, attr) not in self.reported
                    and not _is_descriptor(cls, attr)
                ):
                    self.reported.add((function.function.site, attr))
                    hazard = JitMethodWithoutStaticSelf(function, cls, attr, None, statement.site)
                    self.i.report(hazard, read[attr], read[attr], made, api=made.transform.name)
                    return

    def stores(self, site: int, loop: ir.For | ir.While, me: v.Ref) -> Iterator[tuple[ir.Assign, str]]:
        """The attributes of an object that each pass of a loop around ``site`` sets to what the loop changes."""
        frame, names = running_at(self.i, site), changing(loop)
        variables = self.i.variables(frame) if frame is not None else {}
        for statement in loop.body:
            target = only_target(statement) if isinstance(statement, ir.Assign) else None
            if not isinstance(statement, ir.Assign) or not isinstance(target, ir.Attribute):
                continue
            owner = target.value.id if isinstance(target.value, ir.Name) else ""
            held = variables.get(owner) if owner not in names else None  # which is another object in each pass
            if type(held) is v.Ref and held.location == me.location and names & names_in([statement.value]):
                yield statement, target.attr

    def may_recompile(self, call: Call, site: int, loop: ir.For | ir.While) -> bool:
        """Whether the arguments may be of other shapes, or other constants, in each pass of a loop."""
        if site != call.site:
            return may_be_of_other_shapes(self.i.unit.nodes[site], loop)
        names = changing(loop)
        given = [value for value, node in list(arguments(call))[1:] if names & names_in([node])]
        shapes = [self.i.aval_of(value).shape if type(value) in (v.Array, v.Host) else None for value in given]
        return not all(shape is not None and all(isinstance(size, int) for size in shape) for shape in shapes)

    def outdated(self, made: v.Transformed) -> None:
        """No call of a compiled method is left: what it reads of a static `self` is changed by other methods of the class."""
        function = made.function
        if made.transform.name not in _JIT or type(function) is not v.FunctionValue or function.owner is None:
            return
        cls, own = function.owner, function.function
        if cls.members.get(own.name) is not made or own.site not in self.i.unit or not by_identity(cls):
            return
        statics = signature_of(self.i, function).statics(self.i, made)
        if statics is None or not statics.position(0) or self.may_be_inherited(cls):
            return
        changes = Changes(self.i.unit, cls, own)
        for read in changes.reads():
            if (own.site, read.attr) in self.reported or _is_descriptor(cls, read.attr):
                continue
            change = changes.of(read.attr)
            if change is not None:
                self.reported.add((own.site, read.attr))
                hazard = JitMethodWithoutStaticSelf(function, cls, read.attr, None, change.site)
                self.i.report(hazard, read, read, made, api=made.transform.name)

    def same_arguments(self, first: Call, second: Call) -> bool:
        """Whether the second call certainly finds what was compiled for the first."""
        if len(first.args) != len(second.args) or first.keywords or second.keywords:
            return False
        return all(a is b or self.same_type(a, b) for a, b in zip(first.args[1:], second.args[1:]))

    def same_type(self, a: v.Value, b: v.Value) -> bool:
        if type(a) is v.Const and type(b) is v.Const:
            return a.key == b.key
        x, y = self.i.aval_of(a), self.i.aval_of(b)
        known = x.dtype is not None and x.shape is not None and all(isinstance(size, int) for size in x.shape)
        return type(a) is v.Array and type(b) is v.Array and known and x.key == y.key

    def attributes(self, function: v.FunctionValue) -> dict[str, ir.Attribute]:
        """The attributes of `self` that a method reads, and those that the methods read which it runs."""
        own, cls = function.function, function.owner
        found = self.read.get(own.site)
        if found is None:
            reads = Changes(self.i.unit, cls, own).reads() if cls is not None else ()
            found = self.read[own.site] = {node.attr: node for node in reads}
        return found


def _changed(old: v.Value, new: v.Value) -> bool:
    """Whether an attribute certainly holds something else."""
    if type(old) is v.Const and type(new) is v.Const:
        return old.key != new.key
    return type(old) in (v.Array, v.Host) and type(new) in (v.Array, v.Host) and old is not new


def _is_descriptor(cls: v.ClassValue, name: str) -> bool:
    """Whether a class has more than a first value for an attribute: a property, a method."""
    return not isinstance(cls.lookup(name), (v.Const, v.Array, v.Host, type(None)))


def _is_incomplete(cls: v.ClassValue) -> bool:
    """Whether methods of the class raise NotImplementedError, or use attributes that nothing in it sets."""
    used: set[str] = set()
    has = {*dir(object), "__dict__"} | ({"name", "value"} if cls.family == "enum" else set())
    for each in cls.mro():
        has |= each.members.keys()
        for node in ir.walk([each.definition]):
            if type(node) is ir.Raise:
                raised = node.exception.func if type(node.exception) is ir.Call else node.exception
                if type(raised) is ir.Name and raised.id == "NotImplementedError":
                    return True
            targets = (*getattr(node, "targets", ()), getattr(node, "target", None))
            if type(node) is ir.Annotate and type(node.target) is ir.Name:
                has.add(node.target.id)  # a field
            has |= {part.attr for part in ir.walk(filter(None, targets)) if _is_own(part)}
            if _is_own(node):
                used.add(node.attr)
    return not used <= has


def _is_own(node: ir.Node) -> TypeGuard[ir.Attribute]:
    return type(node) is ir.Attribute and type(node.value) is ir.Name and node.value.id == "self"
