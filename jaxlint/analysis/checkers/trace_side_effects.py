"""What traced code stores where it outlives the trace: in globals, enclosing variables, objects and containers of outside.

A tracer stored there is of no use afterwards; a Python value is stored once, when the code is traced,
and not each time it runs. A store that is taken back before anybody can see it is no hazard: whoever
stores to the same place again takes back what is known of the store before.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import FOR_SHAPES, STAGED_CODE, Frame, Level, Trace
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, SetObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.declared_fields import DeclaredFields
from jaxlint.analysis.interpreter.narrowing import guard_key
from jaxlint.analysis.models.host_effects import outlives_repetition
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.origin import Origin

_ADDING = {
    ListObject: frozenset({"append", "extend", "insert"}), DictObject: frozenset({"update", "setdefault"}),
    SetObject: frozenset({"add", "update"}),
}  # fmt: skip
_REMOVING = frozenset({"pop", "popitem", "clear", "remove", "discard"})
_CACHES = frozenset({"lru_cache", "cache", "cached_property"})
# The functions of unittest, NumPy and chex that assert what they are given.
_ASSERTING = frozenset((
    "assertAlmostEqual assertCountEqual assertDictEqual assertEqual assertFalse assertGreater assertGreaterEqual assertIn assertIs"
    " assertIsInstance assertIsNone assertIsNot assertIsNotNone assertLess assertLessEqual assertListEqual assertNotAlmostEqual"
    " assertNotEqual assertNotIn assertSequenceEqual assertSetEqual assertTrue assertTupleEqual"
    " assert_allclose assert_almost_equal assert_array_almost_equal assert_array_equal assert_array_less assert_equal"
    " assert_scalar_in assert_trees_all_close assert_trees_all_equal"
).split())  # fmt: skip
_BRANCHING = frozenset({"cond", "switch"})
_OPPOSITE = {"+": "-", "-": "+"}


class Store(NamedTuple):
    """A store: where it goes ("variable", "attribute", "item", "container" or "cache"), and how."""

    where: str
    op: str = ""  # of an augmented assignment


@hazard_class(consequence=Consequence.SILENT)
class TracerLeak(Hazard):
    """A tracer is stored where it outlives its trace.

    Site: the target or call that stores a tracer where it outlives the trace; operand.
    """

    store: Store


@hazard_class(consequence=Consequence.SILENT)
class SideEffectInTracedCode(Hazard):
    """A variable, object or container of outside is changed in code that JAX traces, which happens once.

    Site: the target or call that stores a Python value there; operand.
    """

    store: Store
    in_branch: bool = False  # of `cond` or `switch` outside of a transform, which is traced though another one is taken


class Container(NamedTuple):
    """Something that holds values: what tells it from others, its serial number and what it is."""

    key: Hashable
    born: int
    type: type


class Escapes(Checker):
    """What traced code stores where it outlives the trace."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Place -> what was recorded there.
        self.open: dict[Hashable, list[TracerLeak | SideEffectInTracedCode]] = self.i.per_module({})
        self.fields = DeclaredFields()
        # By the identity of the tracer: itself, and what made it.
        self.leaked: dict[int, tuple[v.Value, Trace]] = self.i.per_module({})
        self.called_eagerly: set[int] = self.i.per_module(set())  # functions with a cache that may be filled already
        # Variables and attributes whose values assertions of the file state.
        self.asserted: frozenset[str] | None = None
        # By site of a module: its variables that a context manager of it replaces.
        self.replaced: dict[int, frozenset[str]] = self.i.per_module({})

    def subscribe(self, events: Events) -> None:
        events.name_stored.append(self.variable)
        events.attribute_stored.append(self.attribute)
        events.item_stored.append(self.item)
        events.container_method_called.append(self.method)
        events.cached_value.append(self.cached)
        events.refuses_read.append(self.has_leaked)

    # --- ways to store ------------------------------------------------------------------------

    def variable(self, target: ir.Name, value: v.Value, source: ir.Node, op: str) -> None:
        """A name that may be declared `global` or `nonlocal` is bound."""
        frame: Frame = self.i.frame
        while frame.comprehension is not None and frame.parent is not None:
            frame = frame.parent
        scope = frame.scope
        owner: Frame | None = None
        if target.id in scope.globals:
            owner = frame.top
        elif target.id in scope.nonlocals:
            owner = self.i.owner(target.id)
        if owner is not None:
            self.stored(
                ("variable", owner.serial, target.id), owner.serial, target, value, source, Store("variable", op)
            )

    def attribute(self, target: ir.Node, base: v.Value, attr: str, value: v.Value, source: ir.Node, op: str) -> None:
        born = self.born(base, attr)
        if born is not None:
            cls = getattr(self.i.contents(base), "cls", None)
            if (
                op
                and type(value) is v.Unknown
                and type(cls) is v.ClassValue
                and self.fields.kind(cls, attr) == "number"
            ):
                value = v.STATIC_FLOAT
            self.stored(("attribute", base.key, attr), born, target, value, source, Store("attribute", op))

    def item(
        self, target: ir.Subscript, base: v.Value, index: v.Value, value: v.Value, source: ir.Node, op: str
    ) -> None:
        found = self.container(base, target.value.site)
        if found is not None:
            self.stored(("item", found.key, index.key), found.born, target, value, source, Store("item", op))

    def method(self, name: str, receiver: v.Value, site: int, call: Call) -> None:
        """A method of a list, dict or set; ``site`` is where it is named."""
        found = self.container(receiver, site)
        if found is None:
            return
        place = ("container", found.key)
        if name in _REMOVING:
            self.take_back(place)
        elif name in _ADDING[found.type] and call.all():
            value = v.Tuple(tuple(call.all()[-1:] if name in ("insert", "setdefault") else call.all()))
            node = next(reversed([*call.arg_nodes, *call.keyword_nodes.values()]), call.node)
            self.stored(place, found.born, call.node, value, node, Store("container", "+"))

    def cached(self, result: v.Value, function: v.FunctionValue, node: ir.Node, receiver: v.Value | None) -> v.Value:
        """What is had of a function, or a property of ``receiver``, that may remember what it returned."""
        marks = self.i.markers(function.function)
        if not any(cache in marks and f"{cache} outside" not in marks for cache in _CACHES):
            return result  # a cache outside of a transform keeps what the transform returns
        if self.i.context.stage != STAGED_CODE:
            self.called_eagerly.add(function.function.site)
            return result
        if function.function.site not in self.called_eagerly:
            born = receiver.location if type(receiver) is v.Ref else function.frame.serial
            self.stored(("cache", node.site), born, node, result, node, Store("cache"))
        # What a function gives may have been made by an earlier call, outside the trace.
        return result if receiver is not None else v.Unknown(v.fresh())

    # --- judgement ----------------------------------------------------------------------------

    def container(self, value: v.Value, site: int) -> Container | None:
        """A list, dict or set that is followed, or that is one by what the class of its owner says."""
        contents = self.i.contents(value)
        node = self.i.unit.nodes[site]
        if type(node) is ir.Name and self.is_replaced(node):
            return None
        if type(contents) in _ADDING:
            return Container(value.location, value.location, type(contents))  # type: ignore[attr-defined]
        owner = self.i.bases.get(site)
        if type(owner) is not v.Ref:
            return None
        instance = self.i.contents(owner)
        if type(value) is not v.Unknown or type(instance) is not Instance or not hasattr(node, "attr"):
            return None
        kind = {"list": ListObject, "dict": DictObject}.get(self.fields.kind(instance.cls, node.attr) or "")
        if kind is None or self.born(owner, node.attr) is None:
            return None
        return Container((owner.location, node.attr), owner.location, kind)

    def is_replaced(self, node: ir.Name) -> bool:
        """Whether a variable of the module may stand for what a context manager has bound to it, and takes back."""
        module = self.i.frame.top.scope
        if module.site not in self.replaced:
            functions = self.i.unit.rebinding(module.site)
            managers = (each for each in functions if each.is_generator or each.name == "__enter__")
            self.replaced[module.site] = frozenset().union(*(each.globals for each in managers))
        return node.id in self.replaced[module.site] and self.i.owner(node.id) is self.i.frame.top

    def born(self, base: v.Value, attr: str) -> int | None:
        """Serial number of an object whose attribute is set as it is said; None for what may do otherwise."""
        if type(base) is v.ModuleValue:
            return 0
        if type(base) is v.FunctionValue:
            return int(base.frame.serial)
        cls = base if type(base) is v.ClassValue else getattr(self.i.contents(base), "cls", None)
        if type(cls) is not v.ClassValue or not is_plain(cls) or cls.family not in ("", "dataclass"):
            return None
        found = cls.lookup(attr)
        if found is not None and type(found) not in (v.Const, v.Static, v.Array, v.Host, v.Ref, v.Tuple):
            return None  # a property, perhaps
        if type(base) is v.ClassValue:
            return int(base.frame.serial)
        return base.location if type(self.i.contents(base)) is Instance else None  # type: ignore[attr-defined]

    def stored(
        self, place: Hashable, born: int, target: ir.Node, value: v.Value, source: ir.Node, store: Store
    ) -> None:
        if self.i.silent:
            return
        undone = store.where != "container" and self.take_back(place, target.site, store.op)
        trace: Trace | None = self.i.context.trace
        if trace is None and store.where == "container":
            self.kept(place, born, target, value, source, store)
        if trace is None or self.i.context.stage != STAGED_CODE:
            return
        outlives = born < trace.serial and trace.transform not in FOR_SHAPES
        leaking = self.leaking(value, trace) if outlives else None
        if leaking is None and outlives and self.is_computed_here(value, source, store):
            leaking = value
        if leaking is not None:
            self.leaked[id(leaking)] = (leaking, trace)
            self.record(place, TracerLeak(store), target, source, leaking, leaking.origin)
        elif not undone and self.is_python(value, target, source, store):
            repeated = outlives_repetition(self.i, born, trace)
            if repeated or is_in_branch(born, trace):
                hazard = SideEffectInTracedCode(store, not repeated)
                self.record(place, hazard, target, source, value, self.i.context.origin)

    def kept(self, place: Hashable, born: int, target: ir.Node, value: v.Value, source: ir.Node, store: Store) -> None:
        """Something is put into a container where nothing is staged: a tracer of `grad` or `vmap` leaks as well."""
        level: Level | None = self.i.context.level
        if level is None or born >= level.serial:
            return
        for leaf in self.i.leaves([value]):
            steps = leaf.origin.steps(limit=64) if type(leaf) is v.Array and leaf.origin is not None else ()
            if leaf.cls is not None and any(step.site == level.site and step.transform is not None for step in steps):
                self.record(place, TracerLeak(store), target, source, leaf, leaf.origin)
                return

    def record(
        self,
        place: Hashable,
        hazard: TracerLeak | SideEffectInTracedCode,
        target: ir.Node,
        source: ir.Node,
        value: v.Value,
        origin: Origin | None,
    ) -> None:
        self.i.report(hazard, target, source, value, origin=origin or self.i.context.origin)
        if self.i.found.get((type(hazard), target.site)) is hazard:
            self.open.setdefault(place, []).append(hazard)

    def take_back(self, place: Hashable, at: int = -1, op: str = "") -> bool:
        """Something is stored there again: nobody sees what was recorded before. True where that is undone by it.

        What outside code stores there later does not undo a change that traced code should have made once more.
        """
        undone = False
        for hazard in self.open.pop(place, ()):
            if type(hazard) is TracerLeak or self.i.context.trace is not None:
                self.i.found.pop((type(hazard), hazard.site), None)
                undone |= hazard.site != at and op == _OPPOSITE.get(hazard.store.op, "")
        return undone

    def leaking(self, value: v.Value, trace: Trace) -> v.Value | None:
        """The tracer in a value that is certainly one of the innermost trace."""
        leaf: v.Value
        for leaf in self.i.leaves([value]):
            if leaf.cls is None or type(leaf) not in (v.Array, v.Undecided):
                continue
            steps = leaf.origin.steps(limit=64) if leaf.origin is not None else ()
            if trace.outermost or any(step.site == trace.site and step.transform is not None for step in steps):
                return leaf
        return None

    def is_computed_here(self, value: v.Value, source: ir.Node, store: Store) -> bool:
        """Whether an operator gives a tracer in this very function: one of the innermost trace, whatever its operands are of."""
        operators = (ir.Binary, ir.Unary, ir.Compare)
        is_tracer = type(value) is v.Array and value.cls is not None and not value.presumed
        return is_tracer and (
            store.where != "container" and bool(store.op) or isinstance(resolved(self.i.unit, source), operators)
        )

    def has_leaked(self, value: v.Value) -> bool:
        """Whether a tracer that is read was stored by a trace which has ended."""
        if self.i.context.pure:
            return True
        found = self.leaked.get(id(value))
        if found is None:
            return False
        around: Trace | None = self.i.context.trace
        while around is not None and around is not found[1]:
            around = around.outer
        if around is None:  # it is too late to store something else
            for place, hazards in self.open.items():
                self.open[place] = [each for each in hazards if each.value is not value]
        return around is None

    def is_python(self, value: v.Value, target: ir.Node, source: ir.Node, store: Store) -> bool:
        """Whether a Python value is stored, and another one would be at another time."""
        text = guard_key(target) or ""
        if store.where == "cache" or self.is_asserted(target):
            return False
        if store.where == "container":
            parts = list(self.i.leaves([value]))
            return bool(parts) and all(map(is_number_or_text, parts))
        again = store.op != "" or mentions(source, text)
        if again:
            return v.is_scalar_const(value) or (type(value) is v.Static and value.type in v.NUMERIC_TYPES)
        # A place that is filled where it was empty, or where a question about it has said so, is a cache.
        name = text.partition("[")[0]
        if any(name in key for key, _ in self.i.guards):
            return False
        return is_number_or_text(value) and type(source) is ir.Constant

    def is_asserted(self, target: ir.Node) -> bool:
        """Whether an assertion reads what is stored to: then the author knows how often the code is traced, and counts it."""
        if self.asserted is None:
            self.asserted = frozenset(_asserted(self.i.unit.own))
        node = target.func.value if type(target) is ir.Call and type(target.func) is ir.Attribute else target
        while type(node) is ir.Subscript:
            node = node.value
        return getattr(node, "id", getattr(node, "attr", None)) in self.asserted


def _asserted(nodes: Iterable[ir.Node]) -> Iterator[str]:
    """Names of the variables and attributes in assertions: in `assert`, and in what `assertEqual` and its like are given."""
    for node in nodes:
        parts: Iterable[ir.Node] = [node.test] if type(node) is ir.Assert else []
        if type(node) is ir.Call and getattr(node.func, "attr", getattr(node.func, "id", "")) in _ASSERTING:
            parts = node.args
        for part in ir.walk(parts):
            if isinstance(part, ir.Name):
                yield part.id
            elif isinstance(part, ir.Attribute):
                yield part.attr


def is_in_branch(born: int, trace: Trace) -> bool:
    """Whether a branch that is traced began after ``born``: all of them are traced, and one of them runs."""
    step: Trace | None = trace
    while step is not None and born < step.serial:
        if step.transform in _BRANCHING:
            return True
        step = step.outer
    return False


def is_plain(cls: v.ClassValue) -> bool:
    """Whether setting an attribute of an instance does that and nothing else."""
    return cls.is_closed and not any({"__setattr__", "__slots__"} & each.members.keys() for each in cls.mro())


def is_number_or_text(value: v.Value) -> bool:
    """A constant of which there are many: flags and None are set once and for all."""
    return (
        type(value) is v.Const
        and isinstance(value.value, (int, float, complex, str))
        and not isinstance(value.value, bool)
    )


def mentions(node: ir.Node, text: str) -> bool:
    return any(guard_key(each) == text for each in ir.walk([node]))
