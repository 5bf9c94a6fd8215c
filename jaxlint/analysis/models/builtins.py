"""Python's own functions: builtins, functools, operator, typing, dataclasses."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.domain.instances import PYTHON_CLASSES, classes_in, is_instance
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, SetObject
from jaxlint.analysis.domain.symbolic import is_dimension
from jaxlint.analysis.interpreter import copies, predicates
from jaxlint.analysis.interpreter.expressions import is_hashable
from jaxlint.analysis.interpreter.formatting import of_array
from jaxlint.analysis.interpreter.iteration import Iteration
from jaxlint.analysis.interpreter.trip_count import items_in_turn
from jaxlint.analysis.interpreter.type_tests import instance_test
from jaxlint.analysis.models import dataclass_fields
from jaxlint.analysis.models.annotations import TYPE_VARIABLE
from jaxlint.analysis.models.frameworks import DATACLASSES
from jaxlint.analysis.models.printing import prints
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import attributes
from jaxlint.knowledge.libraries import PARSER

_OPERATOR_SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and_": "&", "or_": "|", "xor": "^",
}  # fmt: skip
_OF_ALL_ARRAYS = frozenset(
    {"shape", "dtype", "ndim", "size", "itemsize", "nbytes", "T", "astype", "reshape", "sum", "item", "__array__"}
)
_OF_CONCRETE_ARRAYS = frozenset(
    {"block_until_ready", "copy_to_host_async", "devices", "sharding", "addressable_shards"}
)
# Reading these of a tracer raises AttributeError, which `hasattr` answers with False. Others raise another exception.
_OF_NO_TRACERS = frozenset({"device", "sharding"})
_OF_NO_ARRAYS = frozenset(
    {"append", "clear", "decode", "encode", "extend", "get", "insert", "items", "keys", "pop", "update", "values"}
)
_OPERATOR_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_CONSTRUCTOR_OPTIONS = frozenset({"init", "kw_only"})  # of a dataclass
_IN_TURN = 8  # so many calls are made of a function that is given items one by one


class Builtins(Iteration):
    """Calls of standard functions. ``call`` gives None for a name it does not know."""

    def collection(self, last: str, call: Call) -> v.Value | None:
        """What a class of `collections` makes: a dict whose items are not known, or a list."""
        if last == "OrderedDict":
            return self.do_dict(call)
        if last == "deque":
            element = self.i.element_of(call.arg_nodes[0], call.args[0]) if call.args else v.Unknown(v.fresh())
            return self.i.new_list(None, element)
        if last != "defaultdict":
            return None  # a Counter has operators that no other dict has
        factory = call.args[0] if call.args else None
        made = factory.name if type(factory) is v.Api and len(call.args) == 1 else ""
        rest: v.Value = v.Unknown(v.fresh())
        if made == "builtins.list":
            rest = self.i.new_list(None, v.Unknown(v.fresh()))
        elif made in ("builtins.int", "builtins.float"):
            rest = v.Static("float" if made == "builtins.float" else "int", v.fresh())
        return self.i.new_object(DictObject({}, rest))

    def call(self, name: str, call: Call) -> v.Value | None:
        package, _, last = name.rpartition(".")
        if name == "builtins.object.__new__" and call.args and type(call.args[0]) is v.ClassValue:
            return self.i.new_object(Instance(call.args[0], {}))
        if package == "builtins":
            handler = getattr(self, f"do_{last}", None)
            if handler is not None:
                found: Callable[[Call], v.Value] = handler
                return found(call)
            if last in ("hex", "oct", "bin", "chr") and call.args:
                return self.cast(f"builtins.{last}", call, "str", "bool")
            return None
        if (
            name in copies.FUNCTIONS
            and len(call.args) == 1
            and not call.keywords
            and not call.star
            and not call.double_star
        ):
            return copies.made(self.i, name, call.args[0])
        if name == "functools.partial":
            if call.args and type(call.args[0]) is v.Api:
                self.i.events.partial_made(call.args[0].written, call)
            if not call.args or call.star or call.double_star:
                return None
            return v.Partial(call.args[0], tuple(call.args[1:]), dict(call.keywords))
        if name in ("functools.lru_cache", "functools.wraps", "functools.cache"):
            if call.args and type(call.args[0]) in (v.FunctionValue, v.BoundMethod) and name != "functools.wraps":
                return call.args[0]
            return v.OpaqueInstance(name, tuple(call.args[:1]) if name == "functools.wraps" else ())
        if name == "functools.update_wrapper" and len(call.args) >= 2:
            return self.i.wrapping(v.OpaqueInstance("functools.wraps", (call.args[1],)), call.args[0])
        if name == "functools.reduce" and len(call.args) >= 2:
            items = items_in_turn(self.i, call.args[1])
            if items is not None and len(items) <= _IN_TURN and (items or len(call.args) > 2):
                return self.folded(call, [*call.args[2:3], *items])
            element = self.i.element_of(call.arg_nodes[1], call.args[1])
            first = call.args[2] if len(call.args) > 2 else element
            result = self.i.call(call.args[0], self.i.simple_call(call.node, [first, element]))
            return v.join(first, result)
        if package == "collections" and not call.star and not call.double_star:
            return self.collection(last, call)
        if name == PARSER:
            return v.OpaqueInstance(name, (), v.fresh())
        if name == "operator.index":
            return self.cast(name, call, "int", "bool")
        if package == "operator":
            return self.operator(name, last, call)
        if name in ("typing.cast", "typing_extensions.cast") and len(call.args) == 2:
            return call.args[1]
        if last == TYPE_VARIABLE and package in ("typing", "typing_extensions") and len(call.args) == 1:
            return call.keywords.get("bound") or v.OpaqueInstance(TYPE_VARIABLE)
        if name in dataclass_fields.FACTORIES and not call.double_star:
            return dataclass_fields.Field(dict(call.keywords))
        if name in DATACLASSES:
            return self.dataclass(name, call)
        if package == "itertools":
            return self.of_itertools(last, call)
        return None

    def dataclass(self, name: str, call: Call) -> v.Value:
        """A decorator of classes, or the class itself where a function of the project gives it one."""
        cls = call.args[0] if call.args else None
        if type(cls) is not v.ClassValue:
            return v.OpaqueInstance(name)
        if cls.family in ("", "dataclass") and not call.double_star and _CONSTRUCTOR_OPTIONS.isdisjoint(call.keywords):
            cls.family = "dataclass"
            cls.decorators += (v.Api(name),)
            self.i.pytrees.forget(cls)
        return cls

    def folded(self, call: Call, values: list[v.Value]) -> v.Value:
        """`functools.reduce` over items that are known."""
        result = values[0]
        for value in values[1:]:
            result = self.i.call(call.args[0], self.i.simple_call(call.node, [result, value]))
        return result

    # --- conversions --------------------------------------------------------------------------

    def cast(self, name: str, call: Call, type_name: str, level: str) -> v.Value:
        if not call.args:
            return v.Static(type_name)
        value = call.args[0]
        if is_dimension(value):
            if type_name == "bool":
                truth = self.i.symbolic.truth(call.node, value)
                return v.STATIC_BOOL if truth is None else v.Const(truth)
            return self.i.symbolic.needed(call.node, call.arg_nodes[0], value, name)
        if self.i.hard(value, level, containers_fail=type_name != "bool"):
            self.i.report(hazards.PythonCastOnTracer(), call.node, call.arg_nodes[0], value, api=name)
            return v.UNKNOWN
        if predicates.has_several(self.i, call.node, call.arg_nodes[0], value, name):
            return v.UNKNOWN
        self.i.beliefs.decides(call.arg_nodes[0], value, hazards.PythonCastOnTracer(), call.node, name)
        if type(value) is v.Const and len(call.args) == 1 and not call.keywords:
            try:
                converted = {"int": int, "float": float, "bool": bool, "complex": complex}[type_name](value.value)
                return v.Const(converted)
            except Exception:  # the program raises as well
                return v.Static(type_name, v.fresh())
        if type(value) is v.Undecided and type_name == "bool":
            return v.Unknown(v.fresh())
        return v.Static(type_name, v.fresh())

    def do_int(self, call: Call) -> v.Value:
        return self.cast("builtins.int", call, "int", "bool")

    def do_float(self, call: Call) -> v.Value:
        return self.cast("builtins.float", call, "float", "float")

    def do_complex(self, call: Call) -> v.Value:
        return self.cast("builtins.complex", call, "complex", "float")

    def do_bool(self, call: Call) -> v.Value:
        return self.cast("builtins.bool", call, "bool", "bool")

    def do_str(self, call: Call) -> v.Value:
        if call.args and self.i.shows_tracer(call.args[0]):
            value = call.args[0]
            return value if type(value) is v.Text else v.Text(value, call.arg_nodes[0])
        if call.args and type(call.args[0]) is v.Const:
            return v.Const(str(call.args[0].value))
        return v.STATIC_STR

    def do_repr(self, call: Call) -> v.Value:
        return self.do_str(call)

    def do_ascii(self, call: Call) -> v.Value:
        return self.do_str(call)

    def do_format(self, call: Call) -> v.Value:
        if len(call.args) == 2 and self.i.hard(call.args[0], "float", containers_fail=True):
            spec = call.args[1]
            if not (type(spec) is v.Const and spec.value == ""):
                self.i.report(hazards.FormatOfTracer("format"), call.node, call.arg_nodes[0], call.args[0])
                return v.STATIC_STR
        if len(call.args) == 2 and of_array(self.i, call.node, call.arg_nodes[0], call.args[0], call.args[1]):
            return v.STATIC_STR
        return self.do_str(call)

    def do_hash(self, call: Call) -> v.Value:
        if call.args:
            self.i.need_hash(call.node, call.arg_nodes[0], call.args[0], "hash")
        return v.Static("int", v.fresh())

    def do_bytes(self, call: Call, containers_fail: bool = False) -> v.Value:
        if call.args and (type(call.args[0]) is v.MemoryRef or self.i.hard(call.args[0], "float", containers_fail)):
            self.i.report(hazards.HostMethodOnTracer(), call.node, call.arg_nodes[0], call.args[0], api="memoryview")
        return v.Unknown(v.fresh())

    def do_bytearray(self, call: Call) -> v.Value:
        return self.do_bytes(call)

    def do_memoryview(self, call: Call) -> v.Value:
        return self.do_bytes(call, containers_fail=True)

    def do_print(self, call: Call) -> v.Value:
        prints(self.i, "builtins.print", call)
        return v.NONE

    # --- questions ----------------------------------------------------------------------------

    def do_len(self, call: Call) -> v.Value:
        if call.args:
            items = self.i.items_of(call.args[0])
            if items is not None:
                return v.Const(len(items))
            value = call.args[0]
            if type(value) is v.Array and value.aval.shape and v.is_symbolic(value.aval.shape[0]):
                return self.i.symbolic.needed(call.node, call.arg_nodes[0], value, "len")
            shape = self.i.aval_of(call.args[0]).shape if type(call.args[0]) in (v.Array, v.Host) else None
            if shape and isinstance(shape[0], int):
                return v.Const(shape[0])
        return v.Static("int", v.fresh())

    def do_isinstance(self, call: Call) -> v.Value:
        if len(call.args) != 2:
            return v.STATIC_BOOL
        value, classes = call.args
        names = classes_in(classes)
        found = is_instance(self.i, value, names)
        known = [each.name for each in names if type(each) is v.Api]
        if (
            found is False
            and type(value) is v.Array
            and value.mode in v.TRACED
            and all(name in PYTHON_CLASSES for name in known)
        ):
            instance_test(self.i, call, value, known)
        return v.STATIC_BOOL if found is None else v.Const(found)

    def do_hasattr(self, call: Call) -> v.Value:
        value, name = call.get(0), call.get(1)
        if type(value) in (v.Array, v.Host) and type(name) is v.Const and name.value in _OF_ALL_ARRAYS:
            return v.TRUE
        if type(value) is v.Tuple and type(name) is v.Const and name.value in (value.fields or ()):
            return v.TRUE
        if type(value) is v.Array and type(name) is v.Const and not value.presumed:
            if value.mode == v.CONCRETE and name.value in _OF_CONCRETE_ARRAYS:
                return v.TRUE
            if value.mode in v.CERTAIN and name.value in _OF_NO_ARRAYS:
                return v.FALSE
            if value.mode in v.TRACED and name.value in _OF_NO_TRACERS:
                return v.FALSE
        if type(value) is v.OpaqueInstance and value.name in v.LAYERS and type(name) is v.Const:
            known = attributes(value.class_name)
            assert self.i.state is not None
            if known and name.value not in known and (value.ident, name.value) not in self.i.state.fields:
                return v.FALSE
        contents = self.i.contents(value) if value is not None else None
        if type(contents) is Instance and type(name) is v.Const and isinstance(name.value, str):
            # What is not known may have been set on one path alone.
            if (
                type(contents.fields.get(name.value, v.UNKNOWN)) is not v.Unknown
                or contents.cls.lookup(name.value) is not None
            ):
                return v.TRUE
            if self.i.runners.has_no_variant(contents, name.value):
                return v.FALSE
        return v.STATIC_BOOL

    def do_callable(self, call: Call) -> v.Value:
        value = call.args[0] if call.args else v.UNKNOWN
        if type(value) in (v.FunctionValue, v.Transformed, v.ClassValue, v.Partial, v.BoundMethod):
            return v.TRUE
        if type(value) in (v.Array, v.Host, v.Tuple, v.Const):
            return v.FALSE
        return v.FALSE if type(self.i.contents(value)) in (ListObject, DictObject, SetObject) else v.STATIC_BOOL

    def do_issubclass(self, call: Call) -> v.Value:
        return v.STATIC_BOOL

    def do_getattr(self, call: Call) -> v.Value:
        if len(call.args) >= 2 and type(call.args[1]) is v.Const and isinstance(call.args[1].value, str):
            node = call.arg_nodes[0]
            is_there = v.TRUE if len(call.args) == 2 else self.do_hasattr(call)
            if is_there == v.TRUE and isinstance(node, ir.Expression):
                stand_in = ir.Attribute(call.node.site, node, call.args[1].value)
                return self.i.get_attribute(stand_in, call.args[0], call.args[1].value)
            is_const = type(call.args[0]) is v.Const and not hasattr(call.args[0].value, call.args[1].value)
            if len(call.args) == 3 and (is_there == v.FALSE or is_const):
                return call.args[2]
        return v.join(v.Unknown(v.fresh()), call.args[2]) if len(call.args) == 3 else v.Unknown(v.fresh())

    def do_setattr(self, call: Call) -> v.Value:
        if len(call.args) == 3 and type(call.args[1]) is v.Const and isinstance(call.args[1].value, str):
            base, name, value = call.args[0], call.args[1].value, call.args[2]
            node = call.arg_nodes[0] if isinstance(call.arg_nodes[0], ir.Expression) else ir.Name(call.node.site, "")
            self.i.events.attribute_stored(call.node, base, name, value, call.arg_nodes[2], "")
            self.i.set_attribute(ir.Attribute(call.node.site, node, name), base, name, value)
        elif call.args:
            self.i.havoc(call.args[0])
        return v.NONE

    def do_type(self, call: Call) -> v.Value:
        return v.Static("type", v.fresh())

    def do_id(self, call: Call) -> v.Value:
        return v.Static("int", v.fresh())

    def do_super(self, call: Call) -> v.Value:
        frame: Frame | None = self.i.frame
        while frame is not None:
            if frame.cls is not None and frame.receiver is not None:
                return v.Super(frame.cls, frame.receiver)
            frame = frame.parent
        return v.Unknown(v.fresh())

    # --- numbers ------------------------------------------------------------------------------

    def do_range(self, call: Call) -> v.Value:
        for value, node in zip(call.args, call.arg_nodes):
            if is_dimension(value):
                return self.i.symbolic.needed(call.node, node, value, "builtins.range")
            if self.i.hard(value, "bool", containers_fail=True):
                self.i.report(hazards.RangeOverTracer(), call.node, node, value)
                return v.Iterator(v.Static("int", v.fresh()), form="range")
        numbers: list[Any] = [value.value if type(value) is v.Const else None for value in call.args]
        if numbers and all(type(n) is int for n in numbers):
            try:
                found = range(*numbers)
                if not found[8:]:  # the length of a range need not fit into a machine word
                    return v.Iterator(v.STATIC_INT, tuple(v.Const(n) for n in found), "range")
            except (TypeError, ValueError):
                return v.UNKNOWN
        return v.Iterator(v.Static("int", v.fresh()), form="range")

    def do_max(self, call: Call) -> v.Value:
        return predicates.reduction(self.i, "builtins.max", call)

    def do_min(self, call: Call) -> v.Value:
        return predicates.reduction(self.i, "builtins.min", call)

    def do_sorted(self, call: Call) -> v.Value:
        return predicates.reduction(self.i, "builtins.sorted", call)

    def do_any(self, call: Call) -> v.Value:
        return predicates.reduction(self.i, "builtins.any", call)

    def do_all(self, call: Call) -> v.Value:
        return predicates.reduction(self.i, "builtins.all", call)

    def do_sum(self, call: Call) -> v.Value:
        if not call.args:
            return v.UNKNOWN
        element = self.i.element_of(call.arg_nodes[0], call.args[0])
        if element.cls is not None:
            return self.i.array_result([element])
        return v.Static("", v.fresh()) if v.python_type(element) is not None else v.Unknown(v.fresh())

    def arithmetic(self, call: Call) -> v.Value:
        value = call.args[0] if call.args else v.UNKNOWN
        if is_dimension(value):
            return self.i.symbolic.rounded(call, value)
        if type(value) in (v.Array, v.Undecided):
            aval = self.i.aval_of(value)
            kept = aval.dtype is not None and "complex" not in aval.dtype and aval.dtype != "bool"
            if len(call.args) == 2:  # `pow`, `divmod`; what `round` is told is an int
                aval = self.i.binary_aval("//", value, call.args[1])
            return self.i.array_result(call.args, aval if kept else v.Aval(None, aval.shape))
        kind = v.python_type(value)
        return (
            v.Static(kind if kind in ("int", "float") else "", v.fresh()) if kind is not None else v.Unknown(v.fresh())
        )

    def do_abs(self, call: Call) -> v.Value:
        return self.arithmetic(call)

    def do_round(self, call: Call) -> v.Value:
        result = self.arithmetic(call)
        if len(call.args) == 1 and not call.keywords and v.python_type(result) == "float":
            return v.Static("int", v.fresh())
        if len(call.args) == 1 and not call.keywords and type(result) is v.Array:
            return v.Array(result.mode, v.Aval("int32", result.aval.shape), result.origin)
        return result

    def do_pow(self, call: Call) -> v.Value:
        return self.arithmetic(call)

    def do_divmod(self, call: Call) -> v.Value:
        part = self.arithmetic(call)
        return v.Tuple((part, part))

    def operator(self, name: str, last: str, call: Call) -> v.Value | None:
        if last in _OPERATOR_SYMBOLS and len(call.args) == 2:
            return self.i.operate(call.node, _OPERATOR_SYMBOLS[last], call.args[0], call.args[1])
        if last in _OPERATOR_COMPARISONS and len(call.args) == 2:
            op = _OPERATOR_COMPARISONS[last]
            return self.i.compare(call.node, op, call.args[0], call.args[1], *call.arg_nodes[:2])
        if last in ("not_", "truth") and call.args:
            self.i.need_bool(call.arg_nodes[0], call.args[0], hazards.BooleanOperatorOnTracer("not"))
            return v.STATIC_BOOL
        if last == "getitem" and len(call.args) == 2:
            return v.Unknown(v.fresh())
        return None

    # --- containers ---------------------------------------------------------------------------

    def do_list(self, call: Call) -> v.Value:
        if not call.args:
            return self.i.new_list(())
        items = items_in_turn(self.i, call.args[0])
        element = self.i.element_of(call.arg_nodes[0], call.args[0])
        return self.i.new_list(tuple(items) if items is not None else None, element)

    def do_tuple(self, call: Call) -> v.Value:
        if not call.args:
            return v.Tuple(())
        items = items_in_turn(self.i, call.args[0])
        if items is not None:
            return v.Tuple(tuple(items))
        return v.Tuple(None, self.i.element_of(call.arg_nodes[0], call.args[0]))

    def do_set(self, call: Call, frozen: bool = False) -> v.Value:
        element = self.i.element_of(call.arg_nodes[0], call.args[0]) if call.args else v.UNKNOWN
        if call.args:
            self.i.need_hash(call.node, call.arg_nodes[0], element, "set")
        return self.i.new_object(SetObject(element, frozen))

    def do_frozenset(self, call: Call) -> v.Value:
        return self.do_set(call, frozen=True)

    def do_vars(self, call: Call) -> v.Value:
        return self.i.new_object(DictObject({}, v.Unknown(v.fresh()))) if len(call.args) == 1 else v.UNKNOWN

    def do_dict(self, call: Call) -> v.Value:
        assert self.i.state is not None
        items: dict[Any, v.Value] = {}
        rests = [call.each] if call.double_star else []
        if call.args:
            pairs = self.constant_pairs(call.args[0])
            given = self.i.mapping(call.args[0]) if pairs is None else DictObject(pairs)
            items, rests = given.items, rests + ([] if given.rest is None else [given.rest])
        rest = self.i.another(functools.reduce(v.join, rests)) if rests else None
        return self.i.new_object(DictObject({**items, **call.keywords}, rest))

    def constant_pairs(self, value: v.Value) -> dict[Any, v.Value] | None:
        """What `dict` makes of pairs whose first parts are known."""
        found: dict[Any, v.Value] = {}
        for pair in self.i.items_of(value) or [v.UNKNOWN]:
            parts = self.i.items_of(pair)
            if parts is None or len(parts) != 2 or type(parts[0]) is not v.Const or not is_hashable(parts[0].value):
                return None
            found[parts[0].value] = parts[1]
        return found

    def do_slice(self, call: Call) -> v.Value:
        parts = list(call.args[:3])
        if len(parts) == 1:
            parts = [v.NONE, parts[0]]
        return v.Slice(*(parts + [v.NONE] * (3 - len(parts)))) if parts else v.Unknown(v.fresh())

    def do_exit(self, call: Call) -> v.Value:
        return v.NONE

    def do_property(self, call: Call) -> v.Value:
        return v.Unknown(v.fresh())

    def do_staticmethod(self, call: Call) -> v.Value:
        return v.Unknown(v.fresh())

    def do_classmethod(self, call: Call) -> v.Value:
        return v.Unknown(v.fresh())
