"""Equinox: modules are frozen once they are made, and transforms of JAX know nothing of their functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance, ListObject
from jaxlint.analysis.models.dataclass_fields import finish, held, is_frozen_struct
from jaxlint.analysis.models.frameworks import Framework
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Layers that hold arrays, whatever they are told.
WITH_WEIGHT = frozenset(
    "equinox.nn." + name
    for name in (
        "Linear Conv Conv1d Conv2d Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d ConvTranspose3d Embedding"
    ).split()
)
_WITH_ARRAYS = WITH_WEIGHT.union(
    f"equinox.nn.{name}" for name in "MLP PReLU MultiheadAttention GRUCell LSTMCell".split()
)
MAKE_WITH_STATE = "equinox.nn.make_with_state"
GET_KEY = "equinox.internal.GetKey"  # a fixture of tests: each call gives another random key
IF_ARRAY = "equinox.if_array"  # an axis in `in_axes`, of the leaves that are arrays
_WITH_NUMBERS = frozenset({"equinox.nn.Dropout", "equinox.nn.MultiheadAttention"})  # in fields that are not static
# Transforms that hash the function they are given.
_HASHING = frozenset({"jax.jit", "jax.experimental.pjit.pjit", "jax.pmap", "jax.checkpoint"})
# Those that refuse an argument which holds a function.
_TAKING = frozenset({
    "jax.jit", "jax.experimental.pjit.pjit", "jax.pmap", "jax.checkpoint", "jax.grad", "jax.value_and_grad", "jax.vmap",
})  # fmt: skip


_HOLDS = v.Const("a function")  # kept by a layer of the library that holds one


# "function": it is transformed itself; "method": a method of it is; "argument": it is passed; "operand": to control flow
_Given: TypeAlias = Literal["function", "method", "argument", "operand"]
_Obstacle: TypeAlias = Literal["arrays", "a function"]
# "declared" as an array; "struct": of a dataclass of Flax
_Refusal: TypeAlias = Literal["frozen", "undeclared", "static", "declared", "struct", "namedtuple"]


@hazard_class()
class JaxTransformOnEquinoxModule(Hazard):
    """A JAX transform is given an Equinox module. Site: the transform; operand: it, or the argument."""

    how: _Given
    holds: _Obstacle  # what stands in the way
    call: int  # site of the call that fails


@hazard_class()
class EquinoxModuleMutation(Hazard):
    """A field of a module is set. Site: the target, or the call; operand: the module or value."""

    how: _Refusal
    attribute: str
    declared_in: ir.ClassDefinition | None = None  # the class with the static field


@hazard_class(consequence=Consequence.LATER)
class FilteredModuleCalled(Hazard):
    """A module calls a function that `eqx.filter` has left out of it. Site, operand: the call of `eqx.filter`."""

    attribute: str
    called: int  # site of the call that fails


class Equinox(Framework):
    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        interpreter.events.refuses_attribute_store.append(self.stored)
        interpreter.events.unknown_called.append(self.called)
        self.open: set[int] = set()  # locations of modules that are being made
        interpreter.events.called.append(self.none_called, (v.Const,))
        self.left_out: dict[tuple[int, str], ir.Node] = {}  # by class and field: the call of `eqx.filter`
        self.thawing: set[int] = set()  # sites of functions that give modules to private names of Equinox

    # --- making -------------------------------------------------------------------------------

    def made(self, name: str, call: Call, layer: v.Value | None) -> v.Value | None:
        """A layer of the library was made; it keeps whether it holds a function."""
        if name == GET_KEY:
            return v.OpaqueInstance(GET_KEY, (), v.fresh())
        if name == IF_ARRAY:
            return v.OpaqueInstance(IF_ARRAY, tuple(call.all()))
        if name == MAKE_WITH_STATE and len(call.args) == 1:
            return v.OpaqueInstance(MAKE_WITH_STATE, tuple(call.args), v.fresh())
        if name == "equinox.nn.MLP" and type(layer) is v.OpaqueInstance and not call.double_star:
            given = [call.keywords[each] for each in ("activation", "final_activation") if each in call.keywords]
            if len(call.args) <= 4 and not call.star and (not given or any(self.is_function(value) for value in given)):
                return v.OpaqueInstance(layer.name, (*layer.args, _HOLDS), layer.ident)
        return layer

    def initialise(self, ref: v.Ref, init: v.Value, call: Call) -> None:
        """`__init__` may set the fields of a module; what their converters make of that is what they hold."""
        call = call.shifted((ref,), {})
        self.prepared(ref, lambda: self.i.call(init, call))
        contents = self.i.contents(ref)
        if type(contents) is Instance:
            fields = {
                name: held(self.i, contents.cls, name, value, call) or value for name, value in contents.fields.items()
            }
            if any(value is not contents.fields[name] for name, value in fields.items()):
                assert self.i.state is not None
                self.i.state.write(ref.location, Instance(contents.cls, fields, contents.called))
            self.check_static(contents.cls, call, fields)
            self.check_init(ref, contents.cls, call)

    def fields_set(self, ref: v.Ref, cls: v.ClassValue, call: Call, fields: dict[str, v.Value]) -> None:
        self.prepared(ref, lambda: finish(self.i, ref, cls, call))
        self.check_static(cls, call, fields)
        self.check_init(ref, cls, call)

    def check_init(self, ref: v.Ref, cls: v.ClassValue, call: Call) -> None:
        """Run the `__check_init__` of each class of a module, as Equinox does once its fields are set."""
        for each in cls.mro():
            check = each.members.get("__check_init__")
            if type(check) is v.FunctionValue:
                self.i.call(check, self.i.simple_call(call.node, [ref]))

    def is_frozen(self, module: v.Ref, contents: Instance) -> bool:
        """Equinox freezes a module once it is made."""
        return contents.cls.lookup("__setattr__") is None and module.location not in self.open

    def prepared(self, module: v.Ref, run: Callable[[], object]) -> None:
        """Run what may set the fields of a module."""
        self.open.add(module.location)
        run()
        self.open.discard(module.location)

    def called(self, callee: v.Value, call: Call) -> None:
        """A private name of Equinox, such as the register of modules that are being made, is given a module."""
        private = type(callee) is v.Api and callee.name.startswith("equinox._")
        if private:
            self.thawing.update(frame.scope.site for frame in self.i.running)
        if private or type(callee) is v.FunctionValue and callee.function.site in self.thawing:
            for value in call.all():
                if type(value) is v.Ref:
                    self.thaw(value.heap_ident)

    def thaw(self, module: v.Ident) -> None:
        """The fields of a module may be set from here on."""
        self.i.effects.append((self.thaw, module))
        self.open.add(module[1])

    def stands_for_receiver(self, function: ir.Function, module: v.Ref) -> None:
        """``module`` stands for the receiver of a method that nothing visible calls."""
        if function.name.startswith("_") and function.name not in ("__call__", "__check_init__"):
            self.open.add(module.location)

    def check_static(self, cls: v.ClassValue, call: Call, fields: dict[str, v.Value]) -> None:
        """A module is made: an array in a static field is compared and hashed where the module is traced."""
        static = self.i.pytrees.static_fields(cls)
        for name, value in fields.items():
            if static and name in static and any(type(leaf) in (v.Array, v.Host) for leaf in self.i.leaves([value])):
                self.i.report(EquinoxModuleMutation("static", name, cls.definition), call.node, call.node, value)

    # --- setting ------------------------------------------------------------------------------

    def stored(self, target: ir.Node, base: v.Value, attr: str) -> bool:
        """An attribute is set. Whether that raises."""
        if (
            type(base) is v.OpaqueInstance
            and base.name == "layer"
            and str(base.args[0].value).startswith("equinox.nn.")  # type: ignore[attr-defined]
        ):
            return self.refuse(target, attr, "frozen")
        if type(base) is v.Tuple and base.namedtuple is not None and base.fields is not None and attr in base.fields:
            return self.refuse(target, attr, "namedtuple")
        contents = self.i.contents(base)
        if type(contents) is not Instance or contents.cls.lookup("__setattr__"):
            return False
        if contents.cls.family != "equinox":
            return is_frozen_struct(self.i, contents.cls) and self.refuse(target, attr, "struct")
        if base.location not in self.open:  # type: ignore[attr-defined]
            return self.refuse(target, attr, "frozen")
        return self.is_undeclared(contents.cls, attr) and self.refuse(target, attr, "undeclared")

    def refuse(self, target: ir.Node, attr: str, how: _Refusal) -> bool:
        if type(target) is not ir.Attribute:
            return False
        self.i.report(EquinoxModuleMutation(how, attr), target, target.value, v.UNKNOWN)
        return True

    def is_undeclared(self, cls: v.ClassValue, attr: str) -> bool:
        """Whether no class declares the field; all of them are seen."""
        known = all(v.is_api(base, "equinox.Module") for base in cls.other_bases())
        return known and cls.lookup(attr) is None and attr not in self.i.declared_fields(cls)

    # --- filters ------------------------------------------------------------------------------

    def filtered(self, module: v.Value, node: ir.Node, depth: int = 0) -> None:
        """Note the functions for which `eqx.filter` puts None into a module and those in it."""
        contents = self.i.contents(module)
        if type(contents) is not Instance or contents.cls.family != "equinox" or depth > 4:
            return
        for name, value in contents.fields.items():
            if self.is_function(value):
                self.left_out[contents.cls.definition.site, name] = node
            for part in self.parts(value):
                self.filtered(part, node, depth + 1)

    def none_called(self, func: v.Value, call: Call) -> None:
        """Report the `eqx.filter` that put None where a function is called."""
        named = call.node.func if type(call.node) is ir.Call else None
        contents = self.i.contents(self.i.bases.get(named.site, v.NONE)) if type(named) is ir.Attribute else None
        if not v.is_none(func) or type(named) is not ir.Attribute or type(contents) is not Instance:
            return
        node = self.left_out.get((contents.cls.definition.site, named.attr))
        if node is not None:
            self.i.report(FilteredModuleCalled(named.attr, call.site), node, node, v.UNKNOWN)

    # --- transforms of JAX --------------------------------------------------------------------

    def transformed(self, made: v.Transformed, call: Call) -> None:
        """A transform of JAX that hashes its function is given a module or a method of one."""
        if made.transform.name not in _HASHING or self.i.context.transparent:
            return
        function = made.function
        how: _Given = "function"
        module = function
        if type(function) is v.BoundMethod:
            how, module = "method", function.receiver
            if type(function.function) is not v.FunctionValue or self.is_special(function):
                return
        if self.holds_array(module, is_function=how == "function"):
            self.report(made, call, how, "arrays")

    def is_special(self, method: v.BoundMethod) -> bool:
        """Whether it is a special method such as `__call__`: Equinox makes pytrees of the other bound methods alone."""
        name = method.function.name if type(method.function) is v.FunctionValue else ""
        return name.startswith("__")

    def hashed(self, name: str, node: ir.Node, functions: list[v.Value]) -> None:
        """Control flow that hashes the functions it is given."""
        for function in functions if not self.i.context.transparent else ():
            if self.holds_array(function, is_function=True):
                hazard = JaxTransformOnEquinoxModule("function", "arrays", node.site)
                self.i.report(hazard, node, node, function, api=name)

    def has_parameters(self, layer: v.OpaqueInstance) -> bool:
        """Whether a layer of the library holds arrays, whatever it was told."""
        return layer.name == "layer" and str(layer.args[0].value) in _WITH_ARRAYS  # type: ignore[attr-defined]

    def holds_array(self, module: v.Value, is_function: bool) -> bool:
        if type(module) is v.OpaqueInstance and module.name == "layer":
            return is_function and self.has_parameters(module)
        contents = self.i.contents(module)
        if type(contents) is not Instance or contents.cls.family != "equinox":
            return False
        if contents.cls.lookup("__hash__") is not None or contents.cls.lookup("__eq__") is not None:
            return False
        static = self.leaves_but(contents.cls)
        return static is not None and any(
            self.is_array(leaf)
            for name, value in contents.fields.items()
            if name not in static
            for leaf in self.parts(value)
        )

    def is_array(self, value: v.Value) -> bool:
        if type(value) in (v.Array, v.Host):
            return True
        return self.holds_array(value, True)

    def parts(self, value: v.Value, depth: int = 0) -> list[v.Value]:
        if type(value) is v.Unknown and not value.open and len(value.options) == 1:
            return self.parts(value.options[0], depth)  # one of the objects that a loop makes
        contents = self.i.contents(value)
        items = self.i.items_of(value) if type(value) in (v.Tuple, v.Ref) and type(contents) is not Instance else None
        if items is None and type(contents) is ListObject:
            items = [contents.element]  # a list of layers that a comprehension makes
        if items is None or depth > 3:
            return [value]
        return [part for item in items for part in self.parts(item, depth + 1)]

    def argument(self, made: v.Transformed, call: Call, value: v.Value, node: ir.Node) -> bool:
        """Whether an argument is a module that holds a function, which the transform refuses; recorded if so."""
        if made.transform.name not in _TAKING or not any(self.holds_function(part) for part in self.parts(value)):
            return False
        self.report(made, call, "argument", "a function", node)
        return True

    def operand(self, api: str, call: Call, value: v.Value, node: ir.Node) -> bool:
        """Whether what control flow is given to trace has a module that holds a function; recorded if so."""
        found = next((part for part in self.parts(value) if self.holds_function(part)), None)
        if found is None:
            return False
        hazard = JaxTransformOnEquinoxModule("operand", "a function", call.site)
        self.i.report(hazard, call.node, node, found, api=api)
        return True

    def holds_function(self, module: v.Value) -> bool:
        return any(
            leaf.name == "layer" and leaf.args[-1:] == (_HOLDS,)
            if type(leaf) is v.OpaqueInstance
            else self.is_function(leaf)
            for leaf in self.leaves_of(module)
        )

    def holds_number(self, module: v.Value) -> bool:
        """Whether a leaf of a module is a number of Python, for which `filter_grad` gives None."""
        return any(
            leaf.name in ("layer", "dropout") and str(leaf.args[0].value) in _WITH_NUMBERS  # type: ignore[attr-defined]
            if type(leaf) is v.OpaqueInstance
            else type(leaf) is v.Const and type(leaf.value) in (bool, int, float)
            for leaf in self.leaves_of(module)
        )

    def leaves_of(self, module: v.Value, depth: int = 0) -> Iterator[v.Value]:
        """What a module and those in it hold in fields that are not static; a layer of the library is one."""
        if type(module) is v.OpaqueInstance:
            yield module
        contents = self.i.contents(module)
        static = None
        if type(contents) is Instance and contents.cls.family == "equinox" and depth < 5:
            static = self.leaves_but(contents.cls)
        if static is None:
            if depth > 0:
                yield module
            return
        assert type(contents) is Instance
        for name, value in contents.fields.items():
            for part in self.parts(value) if name not in static else ():
                yield from self.leaves_of(part, depth + 1)

    def leaves_but(self, cls: v.ClassValue) -> frozenset[str] | None:
        """Static fields of a module; None where what it is made with may not be what it holds."""
        return None if cls.lookup("__post_init__") is not None else self.i.pytrees.static_fields(cls)

    def is_function(self, value: v.Value) -> bool:
        if type(value) is v.Api:
            return bool(self.i.transforms.not_arrays.kind_of_name(value.name) == "function")
        return type(value) is v.FunctionValue

    def report(
        self, made: v.Transformed, call: Call, how: _Given, holds: _Obstacle, node: ir.Node | None = None
    ) -> None:
        site = self.i.unit.nodes[made.site]
        hazard = JaxTransformOnEquinoxModule(how, holds, call.site)
        operand = node if node is not None else site
        self.i.report(hazard, site, operand, made.function, api=made.transform.name)
