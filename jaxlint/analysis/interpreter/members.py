"""Attributes, items and iteration: what can be reached from a value."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from mypy_extensions import trait

from jaxlint import knowledge
from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.signatures import declared_object
from jaxlint.analysis.domain.state import (
    MODULE,
    DictObject,
    Instance,
    ListObject,
    SetObject,
    base as base_of,
    values_in,
)
from jaxlint.analysis.domain.symbolic import is_dimension
from jaxlint.analysis.interpreter.evaluation_state import EvaluationState
from jaxlint.analysis.interpreter.trip_count import Held, items_in_turn
from jaxlint.analysis.models import enumerations, functional_update, host_views, identity_operations
from jaxlint.analysis.models.array_types import OF_NUMPY_ALONE, is_array_type
from jaxlint.analysis.shapes.bound_arguments import shape_of, total
from jaxlint.analysis.shapes.indexing import indexed, takes_all
from jaxlint.analysis.transforms.exports import EXPORTED
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.libraries import PARSER

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call
    from jaxlint.analysis.domain.dimensions import Dimension
    from jaxlint.analysis.domain.state import Contents

# Attributes (no call) of a concrete array that a tracer does not have.
_HOST_ATTRIBUTES = frozenset({
    "sharding", "device", "addressable_shards", "global_shards", "is_fully_addressable",
    "is_fully_replicated", "committed", "layout", "format", "__array_interface__", "__cuda_array_interface__",
})  # fmt: skip
# Methods of objects of which nothing else is known.
_METHODS = frozenset({(EXPORTED, "call"), (PARSER, "parse_args"), (PARSER, "parse_intermixed_args")})
_SHAPE_FACTS = frozenset({"shape", "ndim", "dtype", "size", "nbytes", "itemsize", "aval", "weak_type"})
_CONTAINER_TYPES = frozenset(f"builtins.{name}" for name in ("dict", "list", "tuple", "set", "frozenset"))
# Objects of which a slice asks for so many numbers.
_GRIDS = frozenset({"jax.numpy.mgrid", "jax.numpy.ogrid", "jax.numpy.r_", "jax.numpy.c_"})
# Names that containers have as well: they decide nothing about an undecided parameter.
_AMBIGUOUS = frozenset({
    "copy", "sort", "index", "count", "clear", "items", "keys", "values", "pop", "get", "update", "at",
    "device", "committed", "layout", "format", "choose", "compress", "delete", "search", "take", "trace", "view",
})  # fmt: skip
# Array methods that other pytrees commonly define too: a class of its own may mean anything by them.
_COMMON_METHODS = frozenset({
    "sum", "mean", "min", "max", "std", "var", "all", "any", "dot", "round", "clip", "prod",
    "repeat", "transpose", "squeeze", "reshape", "flatten", "ravel", "real", "imag", "conj",
    "T", "mT", "H", "sharding", "diagonal",
})  # fmt: skip
_OF_TUPLES = frozenset({"count", "index"})
_NESTING = frozenset({v.Tuple, v.Ref, v.Slice})  # values that hold others


@trait
class Members(EvaluationState):
    """Mixin of the interpreter: attribute access, subscripts, stores, unpacking, iteration."""

    # --- contents -----------------------------------------------------------------------------

    def contents(self: Interpreter, value: v.Value) -> Contents | None:
        if type(value) is not v.Ref:
            return None
        assert self.state is not None
        found = self.state.heap.get(value.location)
        return found if found is not None else self.world.heap.get(value.location)

    def mapping(self: Interpreter, value: v.Value) -> DictObject:
        """What a dict holds that is copied: of an argument that is traced with all its leaves, such trees."""
        contents = self.contents(value)
        if type(contents) is DictObject:
            return contents
        return DictObject({}, value.renewed(v.fresh()) if type(value) is v.Undecided else v.Unknown(v.fresh()))

    def new_object(self: Interpreter, contents: Contents, made: tuple[int, int] | None = None) -> v.Ref:
        assert self.state is not None
        return v.Ref(self.state.allocate(contents), made)

    def write(self: Interpreter, ref: v.Ref, contents: Contents, forgets: bool = False) -> None:
        """Change an object. ``forgets``: the new contents refer to nothing that is followed."""
        if ref.location < self.entry_serial:
            self.written.append(ref.location)
            self.stores += not forgets
        assert self.state is not None
        self.state.write(ref.location, contents)

    def havoc(self: Interpreter, value: v.Value, depth: int = 0) -> None:
        """Unknown code got hold of this object: what it holds is not known any more."""
        kind = type(value)
        if type(value) is v.Ref and depth < 4:
            contents = self.contents(value)
            if type(contents) is ListObject:
                for item in contents.items or (contents.element,):
                    self.havoc(item, depth + 1)
                self.write(value, ListObject(None, v.Unknown(v.fresh())), forgets=True)
            elif type(contents) is DictObject:
                for item in contents.items.values():
                    self.havoc(item, depth + 1)
                self.write(value, DictObject({}, v.Unknown(v.fresh())), forgets=True)
            elif type(contents) is Instance:
                if self.framework(contents.cls).is_frozen(value, contents):
                    for field in contents.fields.values():
                        self.havoc(field, depth + 1)
                elif contents.fields:
                    self.write(value, Instance(contents.cls, {}, contents.called), forgets=True)
                self.forget(value.heap_ident)
        elif type(value) is v.Tuple and depth < 4:
            for item in value.items or ():
                self.havoc(item, depth + 1)
        elif kind in (v.Unknown, v.Static, v.Undecided) and value.ident is not None:
            self.forget(value.ident)
            for option in value.options if type(value) is v.Unknown else ():
                self.havoc(option, depth + 1)

    def havoc_given(self: Interpreter, call: Call) -> None:
        """Unknown code got hold of all arguments of a call."""
        for value in call.all():
            self.havoc(value)

    def forget(self: Interpreter, ident: v.Ident) -> None:
        """What is reachable from an object may have changed."""
        self.effects.append((self.forget, ident))
        if ident in self.entered_idents:
            assert self.state is not None
            self.state.renew(ident)

    # --- attributes ---------------------------------------------------------------------------

    def get_attribute(self: Interpreter, node: ir.Attribute, base: v.Value, attr: str) -> v.Value:
        self.bases[node.site] = base
        if self.conventions.static_attributes and self.project_names.is_static(node, base, attr):
            return self.project_names.static(node, base, attr)
        if v.structure_of(base) is not None and self.events.refuses_object_attribute(node, base, attr):
            return v.UNKNOWN
        return self.attribute(node, base, attr)

    def attribute(self: Interpreter, node: ir.Attribute, base: v.Value, attr: str) -> v.Value:
        kind = type(base)
        if type(base) is v.Api:
            dotted = f"{base.name}.{attr}"
            if dotted == "jax.config.jax_disable_jit" and self.context.stage == STAGED_CODE:
                return v.Const(self.context.transparent)  # what is traced is not disabled
            if base.name == "jax.config" and attr.startswith("jax_"):
                self.events.option_named(node, attr)
            else:
                self.events.library_name_read(node, base.name, dotted)
            return self.imported(dotted)
        if type(base) is v.Array:
            return self.array_attribute(node, base, attr)
        if type(base) is v.Undecided:
            if attr in _SHAPE_FACTS:
                return v.Unknown(v.fresh()) if declared_object(self, node.value) else self.shape_fact(attr, v.ANY)
            member = knowledge.member(attr, base.cls or v.STAGED)
            if (
                member is not None
                and attr not in _AMBIGUOUS
                and attr not in _COMMON_METHODS
                and attr not in OF_NUMPY_ALONE
            ):
                return self.array_attribute(node, self.decided(base), attr)
            if attr == "at":
                return v.At(self.decided(base), node.value.site)
            if attr in ("T", "mT", "real", "imag"):
                return base.renewed(v.fresh())
            if member is not None and attr in _COMMON_METHODS and attr not in _HOST_ATTRIBUTES:
                return v.Member(base, attr, node.value.site)
            return self.opaque_attribute(base, attr)
        if type(base) is v.Host:
            if attr in _SHAPE_FACTS:
                return self.shape_fact(attr, base.aval)
            if attr in ("T", "mT", "real", "imag", "flat"):
                shape = base.aval.shape
                turned = base.aval.shaped(None if shape is None else tuple(reversed(shape))) if attr == "T" else v.ANY
                return v.Host(turned, view=base.view if attr in host_views.ATTRIBUTES else None)
            if self.events.refuses_attribute(node, base, attr):
                return v.UNKNOWN
            return v.Member(base, attr, node.value.site)
        if type(base) is v.Ref:
            return self.object_attribute(node, base, attr)
        if type(base) is v.ClassValue:
            found = base.lookup(attr)
            if found is not None and (one := enumerations.member(base, attr)) is not None:
                return one
            if found is None and attr == "__name__":
                return v.Const(base.definition.name)
            if found is None and attr == "__new__" and base.family not in ("namedtuple", "enum"):
                return v.Api("builtins.object.__new__")
            if found is None or (type(found) is v.Const and not _keeps_constants(base)):
                return v.Unknown(v.fresh())
            if base.family == "enum" and type(found) in (v.Tuple, v.Ref):
                return v.Unknown(v.fresh())  # the class makes a member of it
            return v.BoundMethod(found, base) if "classmethod" in self.descriptors(found) else found
        if type(base) is v.Tuple:
            if base.fields is not None and base.items is not None and attr in base.fields:
                return base.items[base.fields.index(attr)]
            found = base.namedtuple.lookup(attr) if base.namedtuple is not None else None
            if found is not None:
                return self.bound(node, found, base)
            if attr not in _OF_TUPLES and not attr.startswith("_"):  # a NamedTuple that is not known
                self.events.sequence_member_read(node, base, attr)
                return v.Unknown(v.fresh())
            return v.Member(base, attr, node.value.site)
        if kind in (v.Const, v.Text) or (type(base) is v.Static and base.type == "str"):
            return v.Member(base, attr, node.value.site)
        if type(base) is v.Static and base.type in ("int", "float", "bool", "complex") and attr in ("real", "imag"):
            return base
        if type(base) is v.At and self.events.refuses_update_attribute(node, base, attr):
            return v.UNKNOWN
        if type(base) is v.Transformed and self.events.refuses_object_attribute(node, base, attr):
            return v.UNKNOWN
        if attr == "__name__" and (name := v.defined_name(base)):
            return v.Const(name)
        if kind in (v.Transformed, v.At, v.BoundMethod, v.Partial, v.FunctionValue):
            return v.Member(base, attr, node.value.site)
        if type(base) is v.MemoryRef:
            return self.memory_attribute(node, base, attr)
        if type(base) is v.ModuleValue:
            self.project_names.read(node, base.place.file, attr)
            assert self.state is not None
            replaced = self.state.fields.get(((MODULE, base.place.file), attr))  # `module.name = value`, from outside
            return self.look_up(base.place, attr) if replaced is None else replaced
        if type(base) is v.Super:
            return self.super_attribute(node, base, attr)
        if type(base) is v.Unknown and base.options:
            return self.attribute_of_each(node, base, attr)
        if type(base) is v.OpaqueInstance:
            self.pytree_classes.reads(node, base)
        if type(base) is v.OpaqueInstance and (base.ident in self.host_effects.seeded or (base.name, attr) in _METHODS):
            return v.Member(base, attr, node.value.site)
        if self.libraries.known(base, attr) is not None:
            return v.Member(base, attr, node.value.site)
        if type(base) is v.OpaqueInstance and base.name == v.SHAPE_STRUCT and attr in _SHAPE_FACTS:
            return (
                base.args[0] if attr == "shape" else self.shape_fact(attr, v.Aval(None, shape_of(self, base.args[0])))
            )
        if attr in ("shape", "ndim", "dtype"):
            assert self.state is not None
            stored = self.state.fields.get((base.ident, attr)) if base.ident is not None else None
            if stored is None and not declared_object(self, node.value):
                return self.shape_fact(attr, v.ANY)
            return stored if stored is not None else self.opaque_attribute(base, attr)
        if attr == "at" and kind is v.Unknown:
            return v.At(base, node.value.site)
        if (of_member := enumerations.attribute(base, attr)) is not None:
            return of_member
        if (held := self.layers.attribute(base, attr)) is not None:
            return held
        if type(base) is v.OpaqueInstance and self.events.refuses_object_attribute(node, base, attr):
            return v.UNKNOWN
        return self.opaque_attribute(base, attr)

    def attribute_of_each(self: Interpreter, node: ir.Attribute, base: v.Unknown, attr: str) -> v.Value:
        """An attribute of one of several objects: one of those that they have, and what is set on it counts first."""
        assert self.state is not None
        stored = self.state.fields.get((base.ident, attr)) if base.ident is not None else None
        if stored is not None:
            return stored
        with self.muted():
            found = [self.attribute(node, option, attr) for option in base.options]
        return functools.reduce(v.join, [*found, self.opaque_attribute(base, attr)] if base.open else found)

    def memory_attribute(self: Interpreter, node: ir.Attribute, base: v.MemoryRef, attr: str) -> v.Value:
        if attr in ("shape", "ndim", "dtype"):
            return self.shape_fact(attr, v.ANY)
        if attr in ("at", "set", "get", "bitcast"):
            return v.Unknown(v.fresh())
        if attr == "reshape":
            return v.Member(base, attr, node.value.site)
        self.report(hazards.UnsupportedOperation(), node, node.value, base, api=f".{attr}")
        return v.UNKNOWN

    def opaque_attribute(self: Interpreter, base: v.Value, attr: str) -> v.Value:
        if base.ident is None:
            return v.Unknown(v.fresh())
        assert self.state is not None
        stored = self.state.fields.get((base.ident, attr))
        if stored is not None:
            return stored
        self.entered_idents.add(base.ident)
        version = self.state.versions.get(base.ident, 0)
        return v.Unknown(base.ident + (f".{attr}~{version}" if version else f".{attr}",))

    def array_attribute(self: Interpreter, node: ir.Attribute, base: v.Array, attr: str) -> v.Value:
        if attr in _SHAPE_FACTS:
            self.key_arrays.asked(base)
            return self.shape_fact(attr, base.aval)
        if attr == "at":
            return v.At(base, node.value.site)
        self.events.array_member_read(node, base, attr)
        if base.aval.dtype == v.TYPED_KEY and self.typed_keys.attribute(node, base, attr):
            return v.UNKNOWN
        if attr in ("T", "mT", "real", "imag"):
            shape = base.aval.shape
            if shape is not None and attr == "T":
                shape = tuple(reversed(shape))
            elif shape is not None and attr == "mT":
                shape = shape[:-2] + shape[:-3:-1] if len(shape) > 1 else None
            if attr == "imag" and base.cls in (v.BATCHED, v.DIFFERENTIATED) and self.context.stage != STAGED_CODE:
                # Of what is not complex: zeros, made without it.
                if base.aval.dtype is None or "complex" not in base.aval.dtype:
                    return v.Array(v.MAYBE, v.Aval(None, shape))
            if attr in ("real", "imag"):
                complex_ = base.aval.dtype is None or "complex" in base.aval.dtype
                return self.array_result([base], v.Aval(None, shape) if complex_ else base.aval)
            return identity_operations.made(attr, [base], self.array_result([base], base.aval.shaped(shape)))
        if self.events.refuses_attribute(node, base, attr):
            return v.UNKNOWN
        if attr in _HOST_ATTRIBUTES:
            if self.hard(base, "float"):
                self.report(hazards.HostMethodOnTracer(), node, node.value, base, api=f".{attr}")
            return v.Unknown(v.fresh())
        if attr == "_value":  # what JAX keeps of a concrete array
            return v.Unknown(v.fresh()) if self.hard(base, "float") else v.Host(base.aval)
        return v.Member(base, attr, node.value.site)

    def shape_fact(self: Interpreter, attr: str, aval: v.Aval) -> v.Value:
        if attr == "dtype" and aval.dtype == v.TYPED_KEY:
            return v.Static("key dtype")
        if attr == "shape" and aval.shape is not None and aval.dtype != "key":
            return v.Tuple(tuple(self.dimension(d) for d in aval.shape))
        if attr == "ndim":
            return v.Const(len(aval.shape)) if aval.shape is not None and aval.dtype != "key" else v.STATIC_INT
        if attr == "size" and aval.shape is not None and aval.dtype != "key":
            sized = any(map(v.is_symbolic, aval.shape))
            return self.symbolic.number_of_elements(aval.shape) if sized else self.dimension(total(aval.shape))
        if attr in ("size", "nbytes", "itemsize"):
            return v.STATIC_INT
        if attr == "dtype" and aval.dtype is not None and aval.dtype not in v.KEYS:
            return v.Static("dtype", ("dtype", aval.dtype))
        return v.Tuple(None, v.STATIC_INT) if attr == "shape" else v.Static(attr)

    def dimension(self: Interpreter, size: int | Dimension | str | None) -> v.Value:
        if isinstance(size, int):
            return v.Const(size)
        if size is None:
            return v.STATIC_INT
        return v.SYMBOLIC_DIMENSION if isinstance(size, str) else v.Static("dim", None, size)

    def object_attribute(self: Interpreter, node: ir.Attribute, base: v.Ref, attr: str) -> v.Value:
        contents = self.contents(base)
        if type(contents) is ListObject and not hasattr(list, attr):
            self.events.sequence_member_read(node, base, attr)
        if type(contents) is not Instance:
            return v.Member(base, attr, node.value.site)
        if attr in contents.fields:
            return contents.fields[attr]
        found = contents.cls.lookup(attr)
        if found is None and (
            self.framework(contents.cls).gives(attr) or functional_update.method(self, contents, attr)
        ):
            return v.Member(base, attr, node.value.site)
        delegate = contents.cls.lookup("__getattr__") if found is None else None
        if type(delegate) is v.FunctionValue:
            return self.call_function(delegate, self.simple_call(node, [base, v.Const(attr)]))
        if found is None and self.events.refuses_object_attribute(node, base, attr):
            return v.UNKNOWN
        if found is None:
            return self.opaque_attribute(base, attr)
        if v.is_none(found) and self.annotations.is_always_none(contents.cls, attr):
            return v.NONE
        if type(found) is v.Const and self.may_be_array(contents.cls, attr, found):
            return self.opaque_attribute(base, attr)
        if type(found) in (v.FunctionValue, v.Transformed) and self.is_field(contents.cls, attr):
            return self.opaque_attribute(base, attr)  # what the class has is the default, and objects hold it as it is
        if type(found) is v.ClassValue and attr in self.receivers.bound:
            return self.opaque_attribute(base, attr)  # the annotation of a field, written as its value
        return self.bound(node, found, base)

    def is_field(self: Interpreter, cls: v.ClassValue, attr: str) -> bool:
        return cls.family in ("dataclass", "equinox", "linen") and attr in self.declared_fields(cls)

    def may_be_array(self: Interpreter, cls: v.ClassValue, attr: str, default: v.Const) -> bool:
        """Whether what the class has under the name leaves open that an object has an array: nothing yet, or a field's default."""
        if default.value is None:
            return True
        return cls.family != "linen" and not isinstance(default.value, (bool, str)) and self.is_field(cls, attr)

    def bound(self: Interpreter, node: ir.Node, found: v.Value, receiver: v.Value) -> v.Value:
        """A class member reached through an instance."""
        if type(found) in (v.FunctionValue, v.Transformed):
            descriptors = self.descriptors(found)
            if "property" in descriptors or "cached_property" in descriptors:
                call = self.simple_call(node, [receiver])
                if type(found) is not v.FunctionValue:
                    return self.call(found, call)
                return self.events.cached_value(self.call_function(found, call), found, node, receiver)
            if "staticmethod" in descriptors:
                return found
            contents = self.contents(receiver)
            if "classmethod" in descriptors and type(contents) is Instance:
                return v.BoundMethod(found, contents.cls)
            return v.BoundMethod(found, receiver)
        if type(found) is v.Const:
            # A class constant; an instance may still carry another value under the name, and an int where a field is a float.
            contents = self.contents(receiver)
            is_field = (
                type(contents) is Instance and type(node) is ir.Attribute and self.is_field(contents.cls, node.attr)
            )
            is_known = found.value is not None and not (is_field and isinstance(found.value, float))
            return v.Static(type(found.value).__name__ if is_known else "", v.fresh())
        if type(found) in (v.Api, v.ClassValue):
            return found
        # An object of the class body is shared, and another one where a metaclass copies it.
        if type(node) is ir.Attribute and type(receiver) is v.Ref:
            return self.opaque_attribute(receiver, node.attr)
        return v.Unknown(v.fresh())

    def descriptors(self: Interpreter, found: v.Value) -> set[str]:
        """Decorators of a class member that decide how it is accessed, whatever other transforms it has."""
        found = v.untransformed(found)
        return self.markers(found.function) if type(found) is v.FunctionValue else set()

    def set_attribute(self: Interpreter, node: ir.Attribute, base: v.Value, attr: str, value: v.Value) -> None:
        if self.events.refuses_attribute_store(node, base, attr):
            return
        self.events.attribute_set(node, base, attr)
        value = self.events.attribute_value(value, node, base, attr)
        contents = self.contents(base)
        if type(contents) is Instance:
            found = contents.cls.lookup(attr)
            if type(found) is v.FunctionValue and "property" in self.markers(found.function):
                if found.setter is not None:
                    self.call(found.setter, self.simple_call(node, [base, value]))
                return
            assert type(base) is v.Ref
            self.write(base, Instance(contents.cls, {**contents.fields, attr: value}, contents.called))
            return
        for option in base.options if type(base) is v.Unknown else ():
            self.havoc(option)
        self.touched.append(0 if base.ident is None else base_of(base.ident))
        self.stores += 1
        if base.ident is not None:
            self.entered_idents.add(base.ident)
            child = base.ident + (f".{attr}",)
            if child in self.entered_idents:
                assert self.state is not None
                self.state.renew(child)
            assert self.state is not None
            self.state.set_field(base.ident, attr, value)

    # --- items --------------------------------------------------------------------------------

    def index_parts(self: Interpreter, node: ir.Node, index: v.Value) -> list[tuple[ir.Node, v.Value]]:
        """The indices of a subscript, each with its node."""
        if type(node) is ir.Sequence and node.kind == "tuple" and type(index) is v.Tuple and index.items is not None:
            if len(index.items) == len(node.elements):
                return list(zip(node.elements, index.items))
        if type(index) is v.Tuple and index.items is not None:
            return [(node, item) for item in index.items]
        return [(node, index)]

    def slice_failure(
        self: Interpreter, index_node: ir.Node, index: v.Value
    ) -> tuple[ir.Node, ir.Node, v.Value] | None:
        """(slice node, bound node, bound) of the first slice bound that must be a Python int and is not."""
        for node, part in self.index_parts(index_node, index):
            if type(part) is v.Slice:
                bounds = (node.lower, node.upper, node.step) if type(node) is ir.Slice else (node, node, node)
                for bound_node, bound in zip(bounds, (part.lower, part.upper, part.step)):
                    if bound_node is not None and self.hard(bound, "bool", containers_fail=True):
                        return node, bound_node, bound
        return None

    def slice_fails(self: Interpreter, node: ir.Subscript, index: v.Value) -> bool:
        """Whether an index of an array has a slice bound that is traced."""
        failure = self.slice_failure(node.index, index)
        if failure is not None:
            self.report(hazards.TracedSliceBound(failure[0].site), node, failure[1], failure[2])
        return failure is not None

    def mask_of(self: Interpreter, index_node: ir.Node, index: v.Value) -> tuple[ir.Node, v.Value] | None:
        """The traced boolean mask among the indices, if there is one."""
        for node, part in self.index_parts(index_node, index):
            level = "float" if self.context.region == "manual" else "bool"
            part = self.parameter_uses.as_mask(node, part)
            if type(part) is v.Array and part.aval.dtype == "bool" and self.hard(part, level):
                return node, part
        return None

    def get_item(self: Interpreter, node: ir.Subscript, base: v.Value, index: v.Value) -> v.Value:
        kind = type(base)
        if type(base) is v.At:
            self.slice_fails(node, index)
            if type(base.array) in (v.Array, v.Undecided) and self.list_index(node, base.array, index):
                return v.UNKNOWN
            if self.events.refuses_index(node, base.array, index) or self.symbolic.indexed(node, index):
                return v.UNKNOWN
            return v.At(base.array, base.array_site, index, node.index.site)
        if kind in (v.Array, v.Undecided):
            return v.UNKNOWN if self.list_index(node, base, index) else self.array_item(node, base, index)
        if type(base) is v.Host:
            if self.slice_fails(node, index):
                return v.UNKNOWN
            for part_node, part in self.index_parts(node.index, index):
                if self.hard(part, "bool", containers_fail=True):
                    self.report(hazards.NumpyArrayIndexedByTracer(), node, part_node, part)
                    return v.UNKNOWN
            shape = self.indexed_shape(base.aval.shape, index)
            return v.Host(v.Aval(base.aval.dtype, shape), view=self.host_views.item(base, index, shape))
        if is_generic_alias(base):
            return base
        if type(base) is v.Api and base.name in _GRIDS:
            failure = self.slice_failure(node.index, index)
            if failure is not None:
                self.report(hazards.ShapeFromTracer(), node, failure[1], failure[2], api=base.name)
            return v.Unknown(v.fresh())
        if type(base) is v.MemoryRef:
            self.slice_fails(node, index)
            whole = type(index) is v.Const and index.value is ...
            return v.Array(v.STAGED, base.aval if whole else v.ANY, base.origin)
        contents = self.contents(base)
        if type(base) is v.Const and not isinstance(base.value, (str, bytes)):
            return v.Unknown(v.fresh())  # None, where another path sets the variable
        if kind in (v.Tuple, v.Const) or type(contents) is ListObject:
            return self.sequence_item(node, base, index)
        if type(contents) is DictObject:
            return self.dict_item(node, contents, index)
        if type(contents) is Instance:
            method = contents.cls.lookup("__getitem__")
            if type(method) is v.FunctionValue:
                return self.call_function(method, self.simple_call(node, [base, index]))
            return v.Unknown(v.fresh())
        if type(base) is v.Iterator:
            return self.range_item(node, base, index)
        if kind in (v.Static, v.Unknown):
            stored = self.stored_item(base, index)
            if stored is not None:
                return stored
            child = self.child_ident(base, index)
            if base.ident in self.nnx.of_arrays:
                return v.Array(v.MAYBE, v.ANY, None, child)
            if type(base) is v.Static and base.type in ("shape", "int"):
                return v.STATIC_INT
            return v.Unknown(child, structure=_child_structure(base, index))
        return v.Unknown(v.fresh())

    def range_item(self: Interpreter, node: ir.Subscript, base: v.Iterator, index: v.Value) -> v.Value:
        """`range(n)[i]`, and a part of a range, which is one, too."""
        if base.form != "range" or base.items is None:
            return base.element
        found = self.sequence_item(node, v.Tuple(base.items), index)
        return v.Iterator(base.element, found.items, "range") if type(found) is v.Tuple else found

    def list_index(self: Interpreter, node: ir.Subscript, base: v.Value, index: v.Value) -> bool:
        """Whether the whole index is a list, which jax arrays refuse; recorded if so."""
        if type(self.contents(index)) is not ListObject:
            return False
        if any(v.python_type(item) == "str" for item in self.leaves([index])):
            return False  # columns of a table
        if self.parameter_uses.is_declared_an_object(node.value, base):
            return False
        self.report(hazards.ListIndex(), node, node.index, base)
        return True

    def child_ident(self: Interpreter, base: v.Value, index: v.Value) -> v.Ident:
        """Ident of an element: the same for the same index of the same object."""
        if base.ident is None:
            return v.fresh()
        self.entered_idents.add(base.ident)
        assert self.state is not None
        version = self.state.versions.get(base.ident, 0)
        if type(index) is v.Const and isinstance(index.value, (int, str)):
            return base.ident + (v.step(index.value, version),)
        if index.ident is not None:
            return base.ident + (v.step(("index", index.ident), version),)
        return v.fresh()

    def array_item(self: Interpreter, node: ir.Subscript, base: v.Value, index: v.Value) -> v.Value:
        mask = None if self.slice_fails(node, index) else self.mask_of(node.index, index)
        if mask is not None:
            self.report(hazards.BooleanMaskIndex(), node, mask[0], mask[1])
        elif self.events.refuses_index(node, base, index) or (
            type(base) is v.Array and self.symbolic.indexed(node, index)
        ):
            return v.UNKNOWN
        if type(base) is v.Undecided:
            stored = self.stored_item(base, index)
            if stored is not None:
                return stored
            if type(index) in (v.Const, v.Static):
                structure = _child_structure(base, index)
                return v.Undecided(base.mode, base.origin, self.child_ident(base, index), base.maybe_static, structure)
            if type(index) is v.Slice:
                return base.renewed(v.fresh())
            if type(index) not in (v.Tuple, v.Array):
                return v.Unknown(v.fresh())
            made = self.array_result([base, index])
            if type(index) is v.Array:  # which an object that holds several arrays may take too
                made = v.Array(made.mode, made.aval, made.origin, made.ident, presumed=True)
            return self.events.item_value(made, base, index)
        assert type(base) is v.Array
        self.events.element_read(node, base, index)
        if base.aval.dtype in v.KEYS:
            return v.UNKNOWN if self.typed_keys.subscript(node, base, index) else self.key_item(base, index)
        aval = base.aval.shaped(self.indexed_shape(base.aval.shape, index))
        if type(base.aval.span) is tuple and takes_all(index):
            aval = aval.spanning(base.aval.span)
        if base.mode == v.CONCRETE and self.context.region == "kernel":
            self.report(
                hazards.UnsupportedOperation(), node, node.value, base, api="captured array", origin=self.context.origin
            )
            return v.UNKNOWN
        made = self.array_result([base, index], aval, tangent=True)
        return self.events.item_value(identity_operations.item(base, index, made), base, index)

    def key_item(self: Interpreter, base: v.Array, index: v.Value) -> v.Value:
        shape, dtype = base.aval.shape, base.aval.dtype
        mode, origin = self.result_mode([base, index])
        if v.is_none(index) and shape is not None:
            return v.Array(mode, v.Aval(dtype, (1, *shape)), origin, base.ident if shape == () else v.fresh())
        if type(index) is v.Slice and base.ident is not None and shape != ():
            return self.key_elements.part(base, index, mode, origin)
        if type(index) in (v.Slice, v.Tuple) or v.is_none(index):
            return v.Array(mode, v.Aval(dtype, None), origin, v.fresh())
        if shape == () and dtype == "key":
            return self.array_result([base, index], v.Aval("uint32", ()))  # a word of a legacy key
        if type(index) is v.Const and type(index.value) is int and index.value < 0 and shape and type(shape[0]) is int:
            index = v.Const(index.value + shape[0])
        place = self.key_elements.in_whole(base, index)
        return v.Array(mode, v.first_key(base.aval), origin, place or self.child_ident(base, index))

    def indexed_shape(self: Interpreter, shape: v.Shape | None, index: v.Value) -> v.Shape | None:
        parts = list(index.items) if type(index) is v.Tuple and index.items is not None else [index]
        return indexed(self, shape, parts)

    def sequence_item(self: Interpreter, node: ir.Subscript, base: v.Value, index: v.Value) -> v.Value:
        what = "tuple" if type(base) is v.Tuple else "list"
        failure = self.slice_failure(node.index, index)
        if failure is not None:
            self.report(hazards.ContainerIndexedByTracer("slice"), node, failure[1], failure[2])
            return v.UNKNOWN
        if self.hard(index, "bool", containers_fail=True):
            kinds = {v.python_type(item) for item in self.items_of(base) or ()}
            numbers = kinds in ({"int"}, {"float"})
            self.report(hazards.ContainerIndexedByTracer(what, numbers), node, node.index, index)
            return v.UNKNOWN
        if is_dimension(index) and type(base) is not v.Const:
            return self.symbolic.needed(node, node.index, index, what)
        if type(index) is v.Tuple and type(base) is v.Tuple:
            self.events.sequence_member_read(node, base, "")
            return v.UNKNOWN
        if type(base) is v.Const:
            return v.STATIC_STR if isinstance(base.value, str) else v.UNKNOWN
        items = self.items_of(base)
        if items is not None and type(index) is v.Const and isinstance(index.value, int):
            return items[index.value] if -len(items) <= index.value < len(items) else v.UNKNOWN
        if items is not None and type(index) is v.Slice and (bounds := _bounds(index)) is not None:
            return v.Tuple(tuple(items[bounds])) if what == "tuple" else self.new_list(tuple(items[bounds]))
        element = self.element_of(node.value, base)
        if what == "tuple" and type(index) is v.Const and type(index.value) is int:
            return _item_at(element, index.value)
        if type(element) is v.Array and element.ident is not None and type(index) is v.Const and base.ident is not None:
            element = v.Array(element.mode, element.aval, element.origin, self.child_ident(base, index))
        if type(index) is v.Slice:
            return v.Tuple(None, element) if what == "tuple" else self.new_list(None, element)
        return element

    def dict_item(self: Interpreter, node: ir.Subscript, contents: DictObject, index: v.Value) -> v.Value:
        array = self.unhashable(index)
        if array is not None:
            self.report(hazards.ContainerIndexedByTracer("dict"), node, node.index, array)
            return v.UNKNOWN
        if type(index) is v.Const and isinstance(index.value, (str, int, float, bool, bytes, type(None))):
            if index.value in contents.items:
                return contents.items[index.value]
            return self.key_elements.behind(contents.rest, index) if contents.rest is not None else v.Unknown(v.fresh())
        result = self.key_elements.behind(contents.rest, index) if contents.rest is not None else None
        for value in contents.items.values():
            result = value if result is None else v.join(result, value)
        return result if result is not None else v.Unknown(v.fresh())

    def set_item(self: Interpreter, node: ir.Subscript, base: v.Value, index: v.Value, value: v.Value) -> None:
        if type(base) is v.Undecided and self.parameter_uses.is_array(node, base):
            base = self.decided(base)
        kind = type(base)
        if type(base) is v.Array or (type(base) is v.At and type(base.array) is v.Array):
            self.report(hazards.ItemAssignment(), self.unit.statement(node.site), node, base)
            return
        if self.events.refuses_item_store(node, base):
            return
        if type(base) is v.Api:
            self.events.environment_stored(node, base, index)
            return
        if kind is v.Host:
            for part_node, part in self.index_parts(node.index, index):
                if self.hard(part, "bool", containers_fail=True):
                    self.report(hazards.NumpyArrayIndexedByTracer(), node, part_node, part)
                    return
            if self.hard(value, "float", containers_fail=True):
                statement = self.unit.statement(node.site)
                self.report(hazards.TracerStoredInNumpyArray(), node, getattr(statement, "value", node), value)
            return
        contents = self.contents(base)
        if type(contents) is ListObject:
            assert type(base) is v.Ref
            if self.hard(index, "bool", containers_fail=True):
                self.report(hazards.ContainerIndexedByTracer("list"), node, node.index, index)
            elif contents.items is not None and type(index) is v.Const and isinstance(index.value, int):
                if -len(contents.items) <= index.value < len(contents.items):
                    items = list(contents.items)
                    items[index.value] = value
                    self.write(base, ListObject(tuple(items)))
            elif type(index) is v.Slice:
                self.set_slice(base, contents, index, value)
            else:
                self.write(base, ListObject(None, v.join(contents.summary(), value)))
        elif type(contents) is DictObject:
            assert type(base) is v.Ref
            if type(index) is v.Const and isinstance(index.value, (str, int, float, bool, bytes, type(None))):
                self.write(base, DictObject({**contents.items, index.value: value}, contents.rest))
            elif (unhashable := self.unhashable(index)) is not None:
                self.report(hazards.ContainerIndexedByTracer("dict"), node, node.index, unhashable)
            else:
                rest = value if contents.rest is None else v.join(contents.rest, value)
                self.write(base, DictObject(contents.items, rest))
        elif type(contents) is Instance and (method := contents.cls.lookup("__setitem__")) is not None:
            self.call(method, self.simple_call(node, [base, index, value]))
        elif base.ident is not None:
            if type(node.value) is ir.Subscript and type(node.value.value) is ir.Name:
                for item in self.mapping(self.eval(node.value.value)).items.values():
                    self.havoc(item)  # the object that is changed may be any of these
            self.touched.append(base_of(base.ident))
            if type(index) is v.Const and type(index.value) is str:
                self.store_item(base, index, value)
            elif base.ident in self.entered_idents:
                assert self.state is not None
                self.state.renew(base.ident)

    def set_slice(self: Interpreter, base: v.Ref, contents: ListObject, index: v.Slice, value: v.Value) -> None:
        """Put the items of an iterable in the place of some of a list."""
        given, bounds = self.items_of(value), _bounds(index)
        if contents.items is None or given is None or bounds is None or bounds.step not in (None, 1):
            element = v.UNKNOWN if given is None else ListObject(tuple(given)).summary()
            self.write(base, ListObject(None, v.join(contents.summary(), element)))
            return
        items = list(contents.items)
        items[bounds] = given
        self.write(base, ListObject(tuple(items)) if len(items) <= v.MAX_LENGTH else ListObject(None, v.UNKNOWN))

    def store_item(self: Interpreter, base: v.Value, key: v.Const, value: v.Value) -> None:
        """Set an item of an object that is not followed, as a dict has one: its other items stay as they were."""
        self.stores += 1
        child = self.child_ident(base, key)
        if child in self.entered_idents:
            assert self.state is not None
            self.state.renew(child)
        assert self.state is not None
        assert base.ident is not None
        self.state.set_field(base.ident, _item(key), value)

    def stored_item(self: Interpreter, base: v.Value, index: v.Value) -> v.Value | None:
        """The item of an object that is not followed, where it was set under a string."""
        assert self.state is not None
        if not self.state.fields or base.ident is None or type(index) is not v.Const or type(index.value) is not str:
            return None
        stored: v.Value | None = self.state.fields.get((base.ident, _item(index)))
        return stored

    def leaves(self: Interpreter, operands: Iterable[v.Value]) -> Iterable[v.Value]:
        """The values in tuples, lists and dicts, down to the leaves."""
        operands = operands if type(operands) in (list, tuple) else list(operands)
        if _NESTING.isdisjoint(map(type, operands)):
            return operands
        return self.nested(operands, 0)

    def nested(self: Interpreter, operands: Iterable[v.Value], depth: int) -> Iterator[v.Value]:
        for operand in operands:
            kind = type(operand)
            if type(operand) is v.Tuple:
                items = operand.items if operand.items is not None else (operand.element,)
                if depth < 6:
                    yield from self.nested(items, depth + 1)
            elif kind is v.Ref and depth < 6:
                contents = self.contents(operand)
                if type(contents) is ListObject or type(contents) is DictObject:
                    yield from self.nested(values_in(contents), depth + 1)
                else:
                    yield operand
            elif type(operand) is v.Slice:
                yield from self.nested((operand.lower, operand.upper, operand.step), depth + 1)
            else:
                yield operand

    # --- iteration ----------------------------------------------------------------------------

    def items_of(self: Interpreter, value: v.Value) -> list[v.Value] | None:
        """The items, where each is known."""
        if type(value) is v.Tuple:
            return None if value.items is None else list(value.items)
        if type(value) is v.Iterator:
            return None if value.items is None else list(value.items)
        contents = self.contents(value)
        if type(contents) is ListObject:
            return None if contents.items is None else list(contents.items)
        if type(contents) is DictObject and contents.rest is None:
            return [v.Const(key) for key in contents.items]
        return None

    def is_list(self: Interpreter, value: v.Value) -> bool:
        """Whether the value is certainly a list or tuple."""
        return type(value) is v.Tuple or type(self.contents(value)) is ListObject

    def element_of(self: Interpreter, node: ir.Node, value: v.Value) -> v.Value:
        """One value that stands for any element."""
        kind = type(value)
        if type(value) is v.Tuple:
            return v.summary(value)
        if type(value) is v.Iterator:
            return value.element
        if type(value) is v.Host:
            shape = value.aval.shape
            view = value.view if shape and len(shape) > 1 else None
            return v.Host(v.Aval(value.aval.dtype, shape[1:] if shape else None), view=view)
        if kind is v.MemoryRef:
            self.report(hazards.UnsupportedOperation(), node, node, value, api="iteration")
            return v.UNKNOWN
        if type(value) is v.Array:
            if value.aval.dtype == v.TYPED_KEY and self.typed_keys.iteration(node, value):
                return v.UNKNOWN
            if value.aval.shape == () and value.aval.dtype != "key":
                self.report(hazards.IterateOverScalarTracer(), node, node, value)
                return v.UNKNOWN
            if value.aval.shape and v.is_symbolic(value.aval.shape[0]):
                return self.symbolic.needed(node, node, value, "iteration")
            if value.mode == v.CONCRETE and self.context.region == "manual":
                return v.Array(v.BATCHED, v.Aval(value.aval.dtype, value.aval.shape[1:] if value.aval.shape else None))
            shape = value.aval.shape[1:] if value.aval.shape else None
            if value.aval.dtype in v.KEYS:
                mode, origin = self.result_mode([value])
                return self.key_elements.element(value, mode, origin)
            return self.array_result([value], value.aval.shaped(shape))
        contents = self.contents(value)
        if type(contents) is ListObject:
            return self.renewed(contents.summary())
        if type(contents) is DictObject:
            return (
                v.STATIC_STR
                if all(isinstance(k, str) for k in contents.items) and not contents.rest
                else v.Unknown(v.fresh())
            )
        if type(contents) is SetObject:
            return contents.element
        if type(value) is v.Static and value.type in ("shape", "range"):
            return v.Static("int", v.fresh())
        if v.python_type(value) == "str":
            return v.STATIC_STR
        return v.Unknown(v.fresh())

    def iterated(self: Interpreter, node: ir.Node, value: v.Value) -> v.Value:
        """What the `__iter__` of a class of the project gives; any other value is what is iterated over."""
        contents = self.contents(value)
        method = contents.cls.lookup("__iter__") if type(contents) is Instance else None
        if type(contents) is not Instance or type(method) is not v.FunctionValue or self.current_state() is None:
            return value
        made = self.framework(contents.cls).call_method(method, value, self.simple_call(node, []))
        return made if type(made) in (v.Iterator, v.Tuple) or self.is_list(made) else value

    def elements(self: Interpreter, node: ir.Node, value: v.Value) -> Callable[[], v.Value]:
        """The elements one after the other, as passes of a loop ask for them."""
        held = Held(self, value) if type(value) is v.Iterator else None
        items = items_in_turn(self, value)
        if items:
            queue = list(items)
            return lambda: queue.pop(0) if queue else self.renewed(self.further_element(node, value, held))
        return lambda: self.further_element(node, value, held)

    def further_element(self: Interpreter, node: ir.Node, value: v.Value, held: Held | None) -> v.Value:
        """The element that the next pass gets, where the elements are not known one by one."""
        if held is None or type(value) is not v.Iterator:
            element = self.element_of(node, value)
            return _item_at(element, v.fresh()[0]) if type(value) is v.Tuple else element
        return v.Unknown(v.fresh()) if held.has_changed() else self.next_of(value)

    def next_of(self: Interpreter, iterator: v.Iterator) -> v.Value:
        """What an iterator gives next, where its elements are not known one by one."""
        return self.anew(iterator.element) if iterator.form == "yields" else self.renewed(iterator.element)

    def anew(self: Interpreter, value: v.Value) -> v.Value:
        """A container like this one, and each object in it."""
        if type(value) is v.Tuple or type(self.contents(value)) in (ListObject, DictObject):
            return self.transforms.rebuilt(value, self.anew)
        return self.renewed(value)

    def renewed(self: Interpreter, value: v.Value) -> v.Value:
        """The next object of the same description: it shares no identity with the one before."""
        if type(value) is v.Unknown:
            return value.renewed(v.fresh())
        if type(value) is v.Static:
            return v.Static(value.type, v.fresh())
        if type(value) is v.Array and value.ident is not None:
            return value.renewed(v.fresh())
        if type(value) is v.Tuple and value.items is not None:
            return v.Tuple(tuple(self.renewed(item) for item in value.items), fields=value.fields)
        return self.key_elements.another(value)

    def unpacked(self: Interpreter, node: ir.Node, value: v.Value, count: int, star: int | None) -> list[v.Value]:
        """The values that ``count`` targets get; the target at ``star`` takes the rest as a list."""
        items = self.haiku.pair(value) if type(value) is v.Transformed else items_in_turn(self, value)
        if items is None and star is not None and type(value) is v.Array and value.aval.dtype in v.KEYS:
            length = value.aval.shape[0] if value.aval.shape else None
            if type(length) is int and length <= self.allowed.leaves and not self.typed_keys.iteration(node, value):
                items = [self.key_item(value, v.Const(number)) for number in range(length)]
        if items is not None and (len(items) == count if star is None else len(items) >= count - 1):
            if star is None:
                return items
            after = count - star - 1
            middle = items[star : len(items) - after]
            return items[:star] + [self.new_list(tuple(middle))] + items[len(items) - after :]
        kind = type(value)
        parts: list[v.Value] = []
        for number in range(count):
            if number == star:
                parts.append(self.new_list(None, self.element_of(node, value)))
            elif type(value) is v.Undecided:
                parts.append(value.renewed(self.child_ident(value, v.Const(number))))
            elif type(value) is v.Array and value.aval.dtype in v.KEYS and not self.typed_keys.iteration(node, value):
                parts.append(self.key_item(value, v.Const(number)))
            elif kind is v.Unknown:
                parts.append(v.Unknown(self.child_ident(value, v.Const(number))))
            elif kind is v.Tuple:
                parts.append(_item_at(self.element_of(node, value), number))
            else:
                parts.append(self.element_of(node, value))
        return parts

    def list_element(self: Interpreter, value: v.Value) -> v.Value | None:
        """What stands for each item of a list of unknown length; None for anything else."""
        contents = self.contents(value)
        return contents.element if type(contents) is ListObject and contents.items is None else None

    def decided(self: Interpreter, value: v.Undecided) -> v.Array:
        """An undecided parameter, once a use has shown that it is an array."""
        return v.Array(value.mode, v.ANY, value.origin, value.ident)


def _item_at(element: v.Value, number: int) -> v.Value:
    """The item of a tuple whose items are all described by ``element``: another key, or something else that is not known."""
    if type(element) is v.Array and element.ident is not None and element.aval.dtype in v.KEYS:
        return v.Array(element.mode, element.aval, element.origin, element.ident + (number,))
    if type(element) is v.Unknown and element.ident is not None:
        return element.renewed(element.ident + (number,))
    return element


def _item(key: v.Const) -> str:
    return f"[{key.value!r}]"


def _child_structure(tree: v.Value, index: v.Value) -> v.Structure | None:
    structure = v.structure_of(tree)
    return None if structure is None else structure.child(index.value if type(index) is v.Const else None)


def _bounds(index: v.Slice) -> slice | None:
    """A slice with constant bounds."""
    parts = [part.value if type(part) is v.Const else "?" for part in (index.lower, index.upper, index.step)]
    if not all(part is None or isinstance(part, int) for part in parts) or parts[2] == 0:
        return None
    return slice(*parts)


def is_generic_alias(base: v.Value) -> bool:
    """Whether an item of a class, such as `Float[Array, "batch"]` or `Base[State]`, is that class with type arguments."""
    if type(base) is v.ClassValue:
        return base.is_generic
    return type(base) is v.Api and (is_array_type(base.name) or v.is_memberless(base) or base.name in _CONTAINER_TYPES)


def _keeps_constants(cls: v.ClassValue) -> bool:
    """Whether constants of the class body are what its attributes are: a metaclass may make members of them."""
    return cls.is_closed and not any(each.definition.keywords for each in cls.mro())
