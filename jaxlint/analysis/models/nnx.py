"""Modules and Variables of Flax NNX: in which trace they live, what changes them, and what their attributes may hold.

An object of NNX may be changed only in the trace that made it, or that was given it as an argument. What a
transform of JAX is given is a copy: a change of it is lost, unless the object is returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Context, Level
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, values_in
from jaxlint.analysis.keys.consumption import STREAMS
from jaxlint.analysis.models import partitions
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import release
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.state import Contents

_VARIABLES = frozenset(
    f"flax.nnx.{name}" for name in "Variable Param BatchStat Cache Intermediate Perturbation".split()
)
_VARIABLE, _RNGS, _DROPOUT, _OPTIMIZER, _NORM = "Variable", "Rngs", "Dropout", "Optimizer", "BatchNorm"
DROPOUT = "flax.nnx.Dropout"
_HOLDING = "ModelAndOptimizer"
_OPTIMIZERS = frozenset({_OPTIMIZER, _HOLDING})
_OBJECTS = {
    "flax.nnx.Rngs": _RNGS, DROPOUT: _DROPOUT, "flax.nnx.Optimizer": _OPTIMIZER,
    "flax.nnx.ModelAndOptimizer": _HOLDING, "flax.nnx.BatchNorm": _NORM, **dict.fromkeys(_VARIABLES, _VARIABLE),
}  # fmt: skip
# What makes references of Variables, from then on or of one.
_MODES = frozenset({"flax.nnx.var_defaults", "flax.nnx.use_hijax", "flax.nnx.use_refs"})
_REFERENCES = frozenset({"ref", "hijax", "mutable", "use_ref", "is_hijax"})
# Functions that leave the module as it is.
_READING = frozenset(
    f"flax.nnx.{name}" for name in "split state graphdef clone display tabulate iter_graph iter_modules".split()
)
# Attributes by which a Variable is written.
_CONTENTS = frozenset({"value", "raw_value"})
# Methods that change what a call of the object does, or that are not drawn from the stream.
_SWITCHES = frozenset({"eval", "train", "set_attributes", "set_mode"})
_NOT_DRAWN = frozenset({"fork", "split", "items", "keys", "values", "get", "copy"})
# Transforms that make copies of their arguments, and give back only what the function returns.
_COPYING = frozenset({
    "jax.jit", "jax.experimental.pjit.pjit", "jax.checkpoint", "jax.vmap", "jax.grad", "jax.value_and_grad",
})  # fmt: skip
# What is no data, or is said to hold none where it is stored first.
_PLAIN = frozenset({ir.Constant, ir.Sequence, ir.Dict, ir.Comprehension})
# Since then the attributes of a module that hold arrays have to be marked.
_PYTREES_SINCE = "0.12.0"


@hazard_class()
class NnxListAttribute(Hazard):
    """An attribute of an NNX module is a plain container of modules or arrays.

    Site: the container; operand: the attribute it is stored as.
    """

    form: str
    nested: bool = False  # whether it holds plain containers of modules or arrays, which `nnx.List` refuses


@hazard_class()
class NnxModuleThroughJaxTransform(Hazard):
    """A change of a module is lost or leaks in a JAX transform. Site: the transform; operand: what changes it."""

    how: Literal["captured", "lost"]
    what: str  # "Variable", "Rngs", "Dropout", "BatchNorm", "Optimizer" or the name of an attribute
    objects: tuple[str, ...] = ()  # what the functions around hold of NNX: variables, and their attributes


@hazard_class(consequence=Consequence.SILENT)
class NnxMembersAlike(Hazard):
    """Layers that are made for each member draw their parameters from streams that all share. Site: `nnx.vmap`; operand: a layer."""


# Attributes by which layers hold a Variable, whatever they are told.
_PARAMETERS = {
    "kernel": frozenset(f"flax.nnx.{name}" for name in "Conv ConvTranspose Einsum Linear LinearGeneral".split()),
    "embedding": frozenset({"flax.nnx.Embed"}),
}
# Layers with parameters, whatever they are told.
_WITH_PARAMETERS = frozenset(
    f"flax.nnx.{name}" for name in "Conv ConvTranspose Einsum Embed Linear LinearGeneral MultiHeadAttention".split()
)


class NnxObjects(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # What an object is, and whether a call of it changes it.
        self.known: dict[v.Ident, tuple[str, bool]] = self.i.per_module({})
        # Layers of dropout that are made without streams to draw from, and drop something until they are told otherwise,
        # each with the serial number of the call that made it.
        self.without_streams: dict[v.Ident, int] = self.i.per_module({})
        self.with_streams: set[v.Ident] = self.i.per_module(set())  # and those that hold streams
        self.of_arrays: set[v.Ident] = self.i.per_module(set())  # Variables that are made with an array
        self.lent: dict[v.Ident, int] = {}  # what all members share -> site of the `nnx.vmap`
        # Sites of the calls by which Variables become references, which any trace may change.
        self.references: set[int] = self.i.per_module(set())
        # Site of a transform -> where a copy is changed in it.
        self.lost: dict[int, tuple[ir.Node, str]] = self.i.per_module({})
        # Location of an empty list -> the attribute it was stored as, the list.
        self.lists: dict[int, tuple[Any, Any]] = self.i.per_module({})
        self.deleted: dict[int, set[str]] = {}  # site of a class -> attributes that its methods delete
        # Attribute of an object -> site of the empty list it was set to.
        self.empty: dict[tuple[int, str], int] = self.i.per_module({})
        interpreter.events.attribute_set.append(self.attribute)
        interpreter.events.attribute_stored.append(self.stored)
        interpreter.events.item_stored.append(self.item_stored)
        interpreter.events.unknown_called.append(self.called)
        interpreter.events.list_changed.append(self.extended)

    # --- making -------------------------------------------------------------------------------

    def has_parameters(self, layer: v.OpaqueInstance) -> bool:
        """Whether a layer of the library holds parameters, whatever it was told."""
        return layer.class_name in _WITH_PARAMETERS

    def made(self, name: str, call: Call) -> v.Value | None:
        """An object of the library. None for any other call."""
        kind = _OBJECTS.get(name)
        if name in _MODES or (kind == _VARIABLE and not _REFERENCES.isdisjoint(call.keywords)):
            self.references.add(call.site)
        if (kind is None and name not in _READING) or kind == _NORM:
            return None
        self.i.keys.given_to_unknown(call)
        return partitions.call(self.i, name, call) or self.note(v.Unknown(v.fresh()), name, call)

    def note(self, value: v.Value, name: str, call: Call) -> v.Value:
        kind = _OBJECTS.get(name)
        if name in _WITH_PARAMETERS and "rngs" in call.keywords:
            self.check_members(call.keywords["rngs"], call)
        if kind is not None and value.ident is not None:
            self.known[value.ident] = (kind, _changes(kind, call))
            if kind == _VARIABLE and type(call.get(0, "value")) is v.Array:
                self.of_arrays.add(value.ident)
            if kind == _DROPOUT and not call.star and not call.double_star:
                streams = call.keywords.get("rngs", v.NONE)
                if self.kind_of(streams) == _RNGS:
                    self.with_streams.add(value.ident)
                elif v.is_none(streams) and _drops_from_the_start(call):
                    self.without_streams[value.ident] = value.ident[0]
            if kind == _RNGS:
                self.i.constant_keys.new_streams(call, value.ident)
                for place, key in enumerate(call.args):
                    self.i.keys.consume(key, name, call.node, call.node_of(place), STREAMS)
                for stream, key in call.keywords.items():
                    self.i.keys.consume(key, name, call.node, call.keyword_nodes.get(stream), STREAMS)
        return value

    def check_members(self, streams: v.Value, call: Call) -> None:
        """Report a layer that is made for each member with streams that all of them share."""
        site, level = self.lent.get(streams.ident or ()), self.i.context.level
        if site is not None and level is not None and level.site == site:
            self.i.report(NnxMembersAlike(), self.i.unit.nodes[site], call.node, streams, api=level.transform.name)

    def lend(self, made: v.Transformed, value: v.Value) -> None:
        """A mapped function gets a value with `in_axes=None`, the same for all members."""
        if made.transform.name == "flax.nnx.vmap" and value.ident is not None:
            self.lent[value.ident] = made.site

    def copied(self, value: v.Value) -> v.Value | None:
        """A copy of an object of the library, as a transform makes of its arguments; None for any other value."""
        known = self.known.get(value.ident) if value.ident is not None else None
        if known is None or type(value) not in (v.Unknown, v.OpaqueInstance):
            return None
        ident = v.fresh()
        self.known[ident] = known
        if value.ident in self.without_streams:
            self.without_streams[ident] = self.without_streams[value.ident]
        elif value.ident in self.with_streams:
            self.with_streams.add(ident)
        elif value.ident in self.of_arrays:
            self.of_arrays.add(ident)
        return v.Unknown(ident) if type(value) is v.Unknown else v.OpaqueInstance(value.name, value.args, ident)  # type: ignore[attr-defined]

    def variable_of(self, layer: v.OpaqueInstance, attr: str) -> v.Value | None:
        """The Variable that a layer of the library holds as an attribute, whatever it was told."""
        if layer.ident is None or layer.class_name not in _PARAMETERS.get(attr, ()):
            return None
        ident = (*layer.ident, f".{attr}")
        self.of_arrays.add(ident)
        return v.Unknown(ident)

    # --- changing -----------------------------------------------------------------------------

    def level(self, context: Context, transform: Transform, site: int) -> Level | None:
        """The trace that a transform begins, as far as NNX is concerned."""
        if transform.cls not in ("staged", "batched", "differentiated"):
            return context.level
        return Level(v.fresh()[0], site, transform)

    def attribute(self, node: ir.Node, base: v.Value, attr: str) -> None:
        """An attribute is set."""
        contents = self.i.contents(base)
        if type(contents) is Instance:
            if contents.cls.family == "nnx":
                self.changed(base.location, node, attr)  # type: ignore[attr-defined]
            elif attr in _CONTENTS and _is_variable(contents.cls):
                self.changed(base.location, node, _VARIABLE)  # type: ignore[attr-defined]
        elif attr in _CONTENTS:
            self.written(node, base)

    def item_stored(
        self, target: ir.Subscript, base: v.Value, index: v.Value, value: v.Value, source: ir.Node, op: str
    ) -> None:
        """An item is set: of a Variable, `x[...] = value`."""
        self.written(target, base)

    def written(self, node: ir.Node, base: v.Value) -> None:
        """The contents of what may be a Variable are set."""
        contents = self.i.contents(base)
        if type(contents) is Instance and _is_variable(contents.cls):
            self.changed(base.location, node, _VARIABLE)  # type: ignore[attr-defined]
        known = self.known.get(base.ident) if base.ident is not None else None
        if known is not None and known[0] == _VARIABLE and type(base) is v.Unknown:
            self.changed(base.ident[0], node, _VARIABLE)  # type: ignore[index]

    def called(self, func: v.Value, call: Call) -> None:
        """Something that is not followed is called: an object of the library, or a method of one."""
        known = self.known.get(func.ident) if func.ident is not None else None
        if known is not None and type(func) in (v.Unknown, v.OpaqueInstance):
            kept = call.keywords.get("deterministic", v.FALSE)
            drops = type(kept) is not v.Const or not kept.value  # in one mode at least
            if known[0] == _DROPOUT and "rngs" in call.keywords and drops:
                self.i.constant_keys.drawn_from_streams(call.keywords["rngs"], DROPOUT)
            if known[1] and not self.is_off(known[0], call):
                self.changed(func.ident[0], call.node, known[0])  # type: ignore[index]
            return
        if type(call.node) is not ir.Call or not isinstance(call.node.func, ir.Attribute):
            return
        base, attr = self.i.bases.get(call.node.func.site), call.node.func.attr
        ident: v.Ident | None = base.ident if base is not None else None
        known = self.known.get(ident) if ident is not None else None
        if ident is None or known is None:
            return
        if attr in _SWITCHES:
            del self.known[ident]
        elif (known[0] == _RNGS and attr not in _NOT_DRAWN) or (known[0] in _OPTIMIZERS and attr == "update"):
            if type(base) is v.Undecided:
                self.lose(call.node, known[0])
            elif type(base) is v.Unknown:
                self.changed(ident[0], call.node, known[0])

    def active(self, value: v.Value) -> str:
        """The name of a layer that does something else in training, and is in training mode; empty for any other value."""
        known = self.known.get(value.ident) if value.ident is not None else None
        return known[0] if known is not None and known[1] and known[0] in (_DROPOUT, _NORM) else ""

    def kind_of(self, value: v.Value) -> str:
        """What object of the library a value is; empty for any other."""
        known = self.known.get(value.ident) if value.ident is not None else None
        return known[0] if known is not None else ""

    def is_optimizer(self, value: v.Value | None) -> bool:
        """Whether a value is an optimizer that does not hold the model."""
        known = self.known.get(value.ident) if value is not None and value.ident is not None else None
        return known is not None and known[0] == _OPTIMIZER

    def is_off(self, kind: str, call: Call) -> bool:
        """Whether a call may be told to change nothing."""
        return bool(call.keywords) or call.double_star or (kind == _DROPOUT and len(call.args) > 1)

    def changed(self, serial: int, node: ir.Node, what: str) -> None:
        level = self.i.context.level
        self.i.touched.append(0)
        if level is None or self.references:
            return
        if serial > level.serial:
            if serial < level.entered:
                self.lose(node, what)
            return
        at = self.i.unit.nodes[level.site]
        hazard = NnxModuleThroughJaxTransform("captured", what, self.around())
        self.i.report(hazard, at, node, v.UNKNOWN, api=level.transform.name)

    def around(self) -> tuple[str, ...]:
        """Variables of the functions around those that run, and attributes of such, that hold objects of NNX."""
        found: dict[str, None] = {}
        for frame in self.i.running:
            around = frame.parent
            for name, value in self.i.variables(around).items() if around is not None else ():
                contents = self.i.contents(value)
                if self.is_object(value):
                    found[name] = None
                elif type(contents) is Instance:
                    found.update(
                        {f"{name}.{attr}": None for attr, each in contents.fields.items() if self.is_object(each)}
                    )
        return tuple(found)

    def is_object(self, value: v.Value) -> bool:
        contents = self.i.contents(value)
        made = value.args[0] if type(value) is v.OpaqueInstance and value.args else None
        is_layer = type(made) is v.Const and str(made.value).startswith("flax.nnx.")
        return is_layer or value.ident in self.known or (type(contents) is Instance and contents.cls.family == "nnx")

    def lose(self, node: ir.Node, what: str) -> None:
        """An argument of the innermost transform is changed."""
        level = self.i.context.level
        if (
            level is not None
            and level.transform.name in _COPYING
            and what not in (_RNGS, _DROPOUT)
            and not self.references
        ):
            self.i.touched.append(0)
            self.lost.setdefault(level.site, (node, what))

    def ended(self, made: v.Transformed, result: v.Value) -> None:
        """A transformed function has returned: what it changed and does not return is lost."""
        found = self.lost.pop(made.site, None)
        if found is None or not self.holds_arrays(result):
            return
        node, what = found
        at = self.i.unit.nodes[made.site]
        self.i.report(NnxModuleThroughJaxTransform("lost", what), at, node, v.UNKNOWN, api=made.transform.name)

    def holds_arrays(self, value: v.Value, depth: int = 0) -> bool:
        """Whether a value is certainly made of arrays and Python numbers."""
        if type(value) is v.Tuple and value.items is not None:
            return depth < 4 and all(self.holds_arrays(item, depth + 1) for item in value.items)
        contents = self.i.contents(value)
        if type(contents) is ListObject and contents.items is not None:
            return depth < 4 and all(self.holds_arrays(item, depth + 1) for item in contents.items)
        if type(contents) is DictObject and contents.rest is None:
            return depth < 4 and all(self.holds_arrays(item, depth + 1) for item in contents.items.values())
        if type(value) is v.Array:
            return value.mode != v.MAYBE  # what a Variable holds, perhaps, after the change
        return type(value) in (v.Const, v.Static, v.Host)

    # --- attributes that hold modules and arrays ----------------------------------------------

    def stored(self, target: ir.Node, base: v.Value, attr: str, value: v.Value, source: ir.Node, op: str) -> None:
        """A container is stored as an attribute, which takes it for static."""
        contents = self.i.contents(base)
        if type(contents) is not Instance or contents.cls.family != "nnx" or not isinstance(target, ir.Attribute):
            return
        if not self.is_pytree(contents.cls) or self.is_declared(contents.cls, attr):
            return
        if self.may_be_data(contents.cls, target) or self.is_deleted(contents.cls, attr):
            return
        held = self.i.contents(value)
        place = (base.location, attr)  # type: ignore[attr-defined]
        if place in self.empty and self.is_marked(source):
            self.i.found.pop((NnxListAttribute, self.empty.pop(place)), None)
        if type(held) is ListObject and held.items == ():
            self.lists[value.location] = (target, source)  # type: ignore[attr-defined]
            self.empty[place] = source.site
        elif self.is_container(value) and self.holds_data(value):
            self.i.report(NnxListAttribute(_form(value, held), self.is_nested(value)), source, target, value)

    def is_marked(self, source: ir.Node) -> bool:
        """Whether what is stored is said to be data, whatever the attribute was before."""
        callee = self.i.last_callee.get(source.site)
        return type(callee) is v.Api and callee.name == "flax.nnx.data"

    def extended(self, place: v.Ref) -> None:
        """Something was added to a list."""
        stored = self.lists.get(place.location)
        if stored is not None and self.holds_data(place):
            target, source = self.lists.pop(place.location)
            self.i.report(NnxListAttribute("empty list", self.is_nested(place)), source, target, place)

    def is_container(self, value: v.Value) -> bool:
        return type(value) is v.Tuple or type(self.i.contents(value)) in (ListObject, DictObject)

    def is_nested(self, value: v.Value) -> bool:
        """Whether a container holds another one that holds data."""
        items = value.items if type(value) is v.Tuple and value.items is not None else values_in(self.i.contents(value))
        return any(self.is_container(item) and self.holds_data(item) for item in items)

    def holds_data(self, value: v.Value, depth: int = 0) -> bool:
        """Whether there is certainly an array, a Variable or a module in it."""
        if depth > 4:
            return False
        contents = self.i.contents(value)
        if type(value) is v.Tuple:
            parts = list(value.items) if value.items is not None else [value.element]
        elif type(contents) is ListObject:
            parts = list(contents.items) if contents.items is not None else [contents.element]
        elif type(contents) is DictObject:
            parts = [*contents.items.values(), *([contents.rest] if contents.rest is not None else [])]
        elif type(contents) is Instance:
            return contents.cls.family == "nnx" and self.is_pytree(contents.cls)
        else:
            is_layer = (
                type(value) is v.OpaqueInstance
                and value.name == "layer"
                and value.args[0].value.startswith("flax.nnx.")  # type: ignore[attr-defined]
            )
            known = type(value) is v.Unknown and value.ident in self.known
            return is_layer or known or type(value) is v.Array
        return any(self.holds_data(part, depth + 1) for part in parts)

    def is_pytree(self, cls: v.ClassValue) -> bool:
        """Whether the class takes attributes apart, in the newest release the code must run on."""
        flax = self.i.target.of("flax")
        if flax is None or release(flax.newest) < release(_PYTREES_SINCE):
            return False
        own = any(each.definition.keywords or "__setattr__" in each.members for each in cls.mro())
        return not own and any(
            type(base) is v.Api and base.name == "flax.nnx.Module" for each in cls.mro() for base in each.bases
        )

    def is_declared(self, cls: v.ClassValue, attr: str) -> bool:
        """Whether the class says what the attribute holds, which `nnx.Data` may be part of."""
        for each in cls.mro():
            for statement in each.definition.body:
                if isinstance(statement, ir.Annotate) and getattr(statement.target, "id", None) == attr:
                    return True
        return False

    def is_deleted(self, cls: v.ClassValue, attr: str) -> bool:
        """Whether a method deletes the attribute, which is a scratch pad until the module is complete."""
        for each in cls.mro():
            site = each.definition.site
            if site not in self.deleted:
                self.deleted[site] = {
                    target.attr
                    for node in ir.walk(each.definition.body) if isinstance(node, ir.Delete)
                    for target in node.targets if type(target) is ir.Attribute
                }  # fmt: skip
            if attr in self.deleted[site]:
                return True
        return False

    def may_be_data(self, cls: v.ClassValue, target: ir.Attribute) -> bool:
        """Whether `__init__` may have set the attribute to data before: it then holds data, whatever it is set to."""
        init = cls.lookup("__init__")
        if type(init) is not v.FunctionValue:
            return False
        stores = [
            (each, type(node.value) not in _PLAIN)
            for node in ir.walk(init.function.body)
            if type(node) is ir.Assign
            for each in node.targets
            if type(each) is ir.Attribute and each.attr == target.attr
        ]
        is_inside = any(each is target for each, _ in stores)
        return any(may for each, may in stores if not is_inside or each.site < target.site)


def _changes(kind: str, call: Call) -> bool:
    """Whether a call of an object that is made like this changes it, as long as the call does not say otherwise."""
    if call.star or call.double_star:
        return False
    if kind == _RNGS:
        return True
    if kind == _NORM:
        return "use_running_average" not in call.keywords and len(call.args) < 2
    if kind == _DROPOUT:
        rate = call.get(0, "rate")
        drops = type(rate) is v.Const and bool(rate.value)
        return drops and "deterministic" not in call.keywords and len(call.args) < 3 and "rngs" in call.keywords
    return False


def _drops_from_the_start(call: Call) -> bool:
    """Whether a layer of dropout that is made like this is in training, and drops some of its inputs."""
    rate = call.get(0, "rate")
    told = call.keywords.get("deterministic", v.FALSE)
    some = type(rate) is v.Const and isinstance(rate.value, (int, float)) and 0 < rate.value < 1
    return some and len(call.args) < 2 and type(told) is v.Const and told.value is False


def _form(value: v.Value, contents: Contents | None) -> str:
    return "tuple" if type(value) is v.Tuple else "list" if type(contents) is ListObject else "dict"


def _is_variable(cls: v.ClassValue) -> bool:
    return any(type(base) is v.Api and base.name in _VARIABLES for each in cls.mro() for base in each.bases)
