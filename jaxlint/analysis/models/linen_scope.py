"""What a module of Flax Linen may do where: which collections `apply` lets it write, which random numbers it has, when it
may be called, make layers and set attributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject
from jaxlint.analysis.keys.ready_keys import ready_key, running_at
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from collections.abc import Hashable

    from jaxlint.analysis.analyser import Interpreter

_COMPACT = frozenset({"compact", "compact_name_scope"})
# Methods that lists and dictionaries have, and not what Flax makes of them.
_CHANGING = {
    ListObject: frozenset("append extend insert remove pop clear sort reverse".split()),
    DictObject: frozenset("update setdefault clear popitem".split()),
}
SETTING_UP = frozenset({"setup", "__post_init__", "__init__"})
_MAX_DEPTH = 3  # of containers in one another


class Given(NamedTuple):
    """What a call of `apply` gives the module. None where that is not known."""

    node: ir.Node
    mutable: frozenset[str] | None
    streams: frozenset[str] | None
    collections: frozenset[str] | None  # of the variables
    undecided: int  # conditions around the call
    drawn: set[str]  # streams of which the module has certainly drawn
    averages: list[ir.Node]  # calls of batch norm that certainly use the running average
    updates: list[ir.Node]  # and of others, which may update it
    is_lifted: bool = False  # by `nn.vmap` or `nn.scan` to the module that it maps, and not by `apply`


@hazard_class()
class FlaxApplyMisuse(Hazard):
    """A Linen module asks for what `apply` does not give. Site: the call of `apply`, or what fails."""

    # "lifted" and "split": a transform lends the module no such collection, or stream
    how: Literal[
        "mutable", "missing", "rngs", "unbound", "method", "compact", "frozen", "field", "container", "collection", "nested", "flag",
        "lifted", "split",
    ]  # fmt: skip
    name: str  # of the collection, stream, class, method, attribute or option; what a container has become
    ready: str = ""  # the key, or the variables, that the caller has at hand


_MODULE = "flax.linen.Module"
# Layers that may drop out, or hold others that do.
_DRAWING = frozenset(
    f"flax.linen.{name}" for name in "MultiHeadDotProductAttention MultiHeadAttention SelfAttention Sequential".split()
)


class LinenScope(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.unbound: set[v.Ident] = self.i.per_module(set())  # modules that were made outside of any other
        self.frozen: set[int] = self.i.per_module(set())  # locations of lists and dictionaries that `setup` has set
        # Functions that may draw of a stream while a module is applied, by site.
        self.drawing: set[int] = self.i.per_module(set())
        interpreter.events.called.append(self.calls)
        interpreter.events.attribute_value.append(self.attribute)
        interpreter.events.refuses_attribute_store.append(self.is_set_late)
        interpreter.events.container_method_called.append(self.changed)

    def given(self, call: Call) -> Given:
        unknown = call.double_star
        streams = call.keywords.get("rngs", v.NONE)
        contents = self.i.contents(streams)
        names: frozenset[str] | None = None
        if v.is_none(streams):
            names = frozenset()
        elif type(contents) is DictObject and contents.rest is None:
            names = frozenset(contents.items)
        mutable = self.collections(call.keywords.get("mutable", v.FALSE))
        variables = self.i.contents(call.get(0, "variables") or v.NONE)
        passed: frozenset[str] | None = None
        if type(variables) is DictObject and variables.rest is None:
            passed = frozenset(str(name) for name in variables.items)
        return Given(
            call.node,
            None if unknown else mutable,
            None if unknown else names,
            passed,
            self.i.undecided,
            set(),
            [],
            [],
        )

    def collections(self, value: v.Value) -> frozenset[str] | None:
        if type(value) is v.Const:
            return (
                frozenset()
                if value.value is False
                else frozenset({value.value})
                if isinstance(value.value, str)
                else None
            )
        found = v.constants(self.i.items_of(value), str)
        return None if found is None else frozenset(found)

    # --- what `apply` gives -------------------------------------------------------------------

    def writes(self, collection: str, node: ir.Node) -> None:
        """A variable is written here, in each call."""
        given = self.certain(node)
        if given is not None and given.mutable is not None and collection not in given.mutable:
            self.report(given.node, node, FlaxApplyMisuse("lifted" if given.is_lifted else "mutable", collection))

    def reads(self, collection: str, node: ir.Node) -> None:
        """A variable is read here, in each call. Where its collection may be written, it is made if it is missing."""
        given = self.certain(node)
        if given is None or given.mutable is None or given.collections is None:
            return
        if collection not in given.mutable | given.collections:
            self.report(given.node, node, FlaxApplyMisuse("lifted" if given.is_lifted else "missing", collection))

    def normalises(self, node: ir.Node, averages: bool) -> None:
        """Batch norm is called, and certainly uses its running average, or may update it."""
        call = self.i.context.linen
        if call is None or call.given is None:
            return
        certain = self.certain(node) if averages else None
        (call.given.updates if certain is None else certain.averages).append(node)

    def calls(self, callee: v.Value, call: Call) -> None:
        """What calls something that may draw may draw as well."""
        context = self.i.context
        if context.linen is not None and context.linen.given is not None and self.is_drawing(callee):
            self.drawing.update(self.i.stack)

    def is_drawing(self, callee: v.Value) -> bool:
        """Whether a call may draw of a stream: it did before, or it is not followed."""
        contents = self.i.contents(callee)
        function = contents.cls.lookup("__call__") if type(contents) is Instance else callee
        while isinstance(function, (v.Partial, v.BoundMethod, v.Transformed)):
            function = function.function
        if type(function) is v.FunctionValue:
            return function.function.site in self.drawing
        if type(function) is v.Member:
            return function.name == "make_rng" or isinstance(function.receiver, v.Unknown)
        if type(function) is v.OpaqueInstance:
            return function.class_name in _DRAWING
        return isinstance(function, v.Unknown)

    def draws(self, stream: str, node: ir.Node) -> None:
        """A key of a stream is asked for here. Without that stream, that of the parameters stands in."""
        given = self.certain(node)
        if given is not None:
            given.drawn.add(stream)
        if given is not None and given.is_lifted:
            self.may_draw(stream, node)
        elif given is not None and given.streams is not None and not {stream, "params"} & given.streams:
            self.report(given.node, node, FlaxApplyMisuse("rngs", stream, ready_key(self.i, given.node.site, stream)))

    def may_draw(self, stream: str, node: ir.Node) -> None:
        """A key of a stream is asked for here, in training at least, in which each stream has to be lent."""
        self.drawing.update(self.i.stack)
        given = self.certain(node)
        if given is not None and given.is_lifted and given.streams is not None and stream not in given.streams:
            self.report(given.node, node, FlaxApplyMisuse("split", stream))

    def makes(self, node: ir.Node) -> None:
        """Parameters that are drawn are made here, in `init`."""
        given = self.certain(node)
        if given is None or not given.is_lifted:
            return
        if given.streams is not None and "params" not in given.streams:
            self.report(given.node, node, FlaxApplyMisuse("split", "params"))
        elif given.collections is not None and "params" not in given.collections:
            self.report(given.node, node, FlaxApplyMisuse("lifted", "params"))

    def lacks(self, flag: str, node: ir.Node) -> None:
        """A layer is called, and neither this nor its making says what it is to do."""
        if self.i.context.linen is not None or self.is_in_module():
            self.report(node, node, FlaxApplyMisuse("flag", flag))

    def certain(self, node: ir.Node) -> Given | None:
        """What is given, where the code at ``node`` runs in each call for certain."""
        call = self.i.context.linen
        if call is None or call.given is None or call.given.undecided != self.i.undecided:
            return None
        sites = (*self.i.chain[call.depth :], node.site)
        return call.given if not any(self.may_have_ended(site) for site in sites) else None

    def may_have_ended(self, site: int) -> bool:
        """Whether the function may have returned before it came here."""
        inner: ir.Node = self.i.unit.nodes[site]
        for outer in self.i.unit.ancestors(site):
            if isinstance(outer, ir.Scope):
                earlier = outer.body[: next((n for n, each in enumerate(outer.body) if each is inner), 0)]
                return any(_returns(statement) for statement in earlier)
            inner = outer
        return False

    # --- where a module is made and called ----------------------------------------------------

    def made(self, name: str, ident: v.Ident, call: Call) -> None:
        """A module is made here."""
        context = self.i.context
        if "parent" in call.keywords or call.double_star or call.star:
            return
        self.i.linen.repeats_name(call)
        if context.linen is None:
            if context.pure and not self.is_in_module():
                self.unbound.add(ident)
            return
        methods = [self.i.unit.nodes[site] for site in self.i.stack[context.linen.depth :]]
        if methods and not any(each.name in SETTING_UP or _COMPACT & self.i.markers(each) for each in methods):
            self.report(call.node, call.node, FlaxApplyMisuse("compact", methods[0].name))

    def is_in_module(self) -> bool:
        """Whether a method of a module runs: it may be bound, and so is what it makes."""
        for site in self.i.stack:
            definition = self.i.unit.parent(site)
            around = self.i.unit.parent(definition.site) if definition is not None else None
            if isinstance(around, ir.ClassDefinition):
                bases = [self.i.named(ir.dotted(base) or "") for base in around.bases]
                if any(
                    getattr(base, "name", "") == _MODULE or getattr(base, "family", "") == "linen" for base in bases
                ):
                    return True
        return False

    def called(self, ident: v.Ident, name: str, call: Call) -> None:
        """A module with compact methods is called."""
        is_bound = self.i.context.linen is not None or ident not in self.unbound or self.is_in_module()
        if not is_bound and type(call.node) is ir.Call:
            self.report(call.node, call.node, FlaxApplyMisuse("unbound", name))

    def method_called(self, receiver: v.Value, method: v.Value, call: Call) -> None:
        """A method of a module outside of `apply`, which reads what `setup` sets."""
        contents = self.i.contents(receiver)
        if type(contents) is not Instance or contents.called or type(call.node) is not ir.Call:
            return
        setup = contents.cls.lookup("setup")
        if self.i.context.linen is not None or receiver.ident not in self.unbound or self.is_in_module():
            return
        if type(setup) is not v.FunctionValue or type(method) is not v.FunctionValue or method is setup:
            return
        stored = {
            target.attr
            for each in ir.walk(setup.function.body) if isinstance(each, ir.Assign)
            for target in each.targets if isinstance(target, ir.Attribute)
        }  # fmt: skip
        parameters = method.function.parameters
        own = parameters[0].name if parameters else ""
        for each in ir.walk(method.function.body):
            if isinstance(each, ir.Attribute) and each.attr in stored and ir.dotted(each.value) == own:
                name = f"{contents.cls.definition.name}.{method.function.name}"
                self.report(
                    call.node, call.node, FlaxApplyMisuse("method", name, self.variables_at(contents, call.node))
                )
                return

    def variables_at(self, contents: Instance, call: ir.Node) -> str:
        """The one variable of the caller that holds what `init` of the module gave."""
        frame = running_at(self.i, call.site)
        variables = self.i.variables(frame) if frame is not None else {}
        made = [name for name, value in variables.items() if _structure(value) == ("variables", contents.cls.key)]
        return made[0] if len(made) == 1 else ""

    def attribute(self, value: v.Value, node: ir.Node, base: v.Value, attr: str) -> v.Value:
        """An attribute of a module is set: what it then holds."""
        call = self.i.context.linen
        contents = self.i.contents(base)
        if call is None or type(contents) is not Instance or contents.cls.family != "linen" or type(base) is not v.Ref:
            return value
        methods = [self.i.unit.nodes[site] for site in self.i.stack[call.depth :]]
        own = any("__setattr__" in each.members for each in contents.cls.mro())
        if base.location > call.serial and methods and not own and not any(each.name in SETTING_UP for each in methods):
            self.report(node, node, FlaxApplyMisuse("frozen", attr))
        elif not own and any(each.name == "setup" for each in methods):
            return self.freeze(value)
        return value

    def is_set_late(self, target: ir.Node, base: v.Value, attr: str) -> bool:
        """Whether a module sets a field in `setup`, or any attribute where it computes; recorded if so."""
        contents = self.i.contents(base)
        if type(contents) is not Instance or contents.cls.family != "linen" or contents.cls.lookup("__setattr__"):
            return False
        function = self.i.frame.scope
        if type(function) is not ir.Function or not function.parameters or type(target) is not ir.Attribute:
            return False
        if type(target.value) is not ir.Name or target.value.id != function.parameters[0].name:
            return False
        if function.name == "setup":
            is_field = attr in self.i.declared_fields(contents.cls, passed=True)
            if is_field:
                self.report(target, target, FlaxApplyMisuse("field", attr))
            return is_field
        computes = function.name == "__call__" or bool(_COMPACT & self.i.markers(function))
        if not computes or self.i.context.linen is not None:
            return False  # while the module is applied, what it holds is looked at
        if any(getattr(self.i.unit.nodes[site], "name", "") in SETTING_UP for site in self.i.stack):
            return False
        self.report(target, target, FlaxApplyMisuse("frozen", attr))
        return True

    def freeze(self, value: v.Value, depth: int = 0) -> v.Value:
        """What Flax keeps of an attribute that `setup` sets: lists are tuples, dictionaries cannot be changed."""
        contents = self.i.contents(value)
        if depth == _MAX_DEPTH or contents is None or type(contents) not in _CHANGING:
            return value
        if type(contents) is ListObject and contents.items is not None:
            items = tuple(self.freeze(item, depth + 1) for item in contents.items)
            contents = ListObject(items, contents.element)
        made = self.i.new_object(contents)
        self.frozen.add(made.location)
        return made

    def changed(self, name: str, receiver: v.Value, site: int, call: Call) -> None:
        """A method of a list or a dictionary is called."""
        contents = self.i.contents(receiver)
        if type(receiver) is v.Ref and receiver.location in self.frozen and name in _CHANGING[type(contents)]:
            kind = "tuple" if type(contents) is ListObject else "FrozenDict"
            self.report(call.node, call.node, FlaxApplyMisuse("container", kind))

    # --- variables ----------------------------------------------------------------------------

    def initialised(self, module: Hashable) -> v.Value:
        """The variables that `init` of a module gives."""
        run: int = v.fresh()[0]
        return v.Unknown((run,), structure=v.Structure("variables", module, run))

    def applied(self, module: Hashable, call: Call) -> None:
        """A module is applied: the parameters alone are no variables, and the variables are no parameters."""
        given = call.get(0, "variables")
        contents = self.i.contents(given) if given is not None else None
        held = contents.items.get("params") if type(contents) is DictObject else None
        if _structure(held) == ("variables", module):
            node = call.node_of(0, "variables") or call.node
            self.report(node, held_in(node, "params") or node, FlaxApplyMisuse("nested", ""))
        if (
            _structure(given) == ("params", module)
            and self.i.context.linen is None
            and "method" not in call.keywords
            and not call.double_star
        ):
            node = call.node_of(0, "variables") or call.node
            self.report(node, node, FlaxApplyMisuse("collection", "params"))

    def report(self, at: ir.Node, node: ir.Node, hazard: FlaxApplyMisuse) -> None:
        self.i.report(hazard, at, node, v.UNKNOWN)


def _structure(tree: v.Value | None) -> tuple[str, Hashable] | None:
    structure = v.structure_of(tree)
    return None if structure is None else structure[:2]


def held_in(node: ir.Node, key: str) -> ir.Node | None:
    """What a dictionary that is written out holds under a key."""
    pairs = zip(node.keys, node.values) if type(node) is ir.Dict else ()
    found = [value for name, value in pairs if type(name) is ir.Constant and name.value == key]
    return found[0] if len(found) == 1 else None


def _returns(statement: ir.Statement) -> bool:
    """Whether a statement may return from the function on some condition."""
    return any(type(each) is ir.Return for each in ir.statements([statement], into_scopes=False))
