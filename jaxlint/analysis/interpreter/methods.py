"""Methods of what the analysis models itself: arrays, `.at`, lists, dicts, strings, transformed functions."""

from __future__ import annotations

import functools

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.promotion import is_inexact
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, SetObject
from jaxlint.analysis.interpreter.formatting import of_format
from jaxlint.analysis.keys.key_elements import same_key
from jaxlint.analysis.keys.typed_keys import is_typed
from jaxlint.analysis.models import functional_update, identity_operations
from jaxlint.analysis.shapes.laws import computes, dtype_of, of_numpy, result_aval
from jaxlint.analysis.transforms.exports import EXPORTED
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.libraries import NAMESPACE, PARSER

# Methods of NumPy's arrays that give what those of JAX give.
_SHAPED = frozenset(
    "reshape transpose ravel flatten squeeze swapaxes sum mean min max std var argmax argmin any all cumsum cumprod prod"
    " clip round argsort dot repeat take trace".split()
)
_ITEM_METHODS = frozenset(
    {"item", "tolist", "__array__", "__float__", "__int__", "__bool__", "__index__", "__complex__"}
)
# Level of hazard of methods that a differentiated value still answers.
_VALUE_METHODS = frozenset({"item", "__int__", "__bool__", "__index__"})
_AT_UPDATES = frozenset({"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"})
# Methods of strings that give a string.
_TO_STRING = frozenset({
    "capitalize", "casefold", "center", "expandtabs", "format_map", "ljust", "lower", "lstrip", "removeprefix",
    "removesuffix", "replace", "rjust", "rstrip", "strip", "swapcase", "title", "translate", "upper", "zfill",
})  # fmt: skip
# Methods of strings that give little more than they are asked with.
_OF_CONSTANTS = frozenset({
    "capitalize", "casefold", "count", "endswith", "find", "isalpha", "isdigit", "islower", "isupper", "lower", "lstrip",
    "partition", "removeprefix", "removesuffix", "replace", "rfind", "rpartition", "rsplit", "rstrip", "split", "splitlines",
    "startswith", "strip", "swapcase", "title", "upper",
})  # fmt: skip
_MAX_TEXT = 400  # characters that one is asked with


class Methods(Component):
    """Component of the interpreter."""

    def call(self, member: v.Member, call: Call) -> v.Value:
        receiver = member.receiver
        kind = type(receiver)
        if isinstance(receiver, (v.Array, v.Undecided)):
            return self.array(member, receiver, call)
        if kind is v.MemoryRef:
            for value, node in zip(call.args, call.arg_nodes):
                if self.i.hard(value, "bool"):
                    self.i.report(hazards.UnsupportedOperation(), call.node, node, value, api=f".{member.name}")
            return v.Unknown(v.fresh())
        if type(receiver) is v.At:
            return self.at(member, receiver, call)
        if type(receiver) is v.OpaqueInstance and receiver.ident in self.i.host_effects.seeded:
            return self.i.host_effects.drawn(receiver, member.name, call)
        if type(receiver) is v.OpaqueInstance and receiver.name == EXPORTED:
            return self.i.transforms.exports.called(receiver, call)
        if type(receiver) is v.OpaqueInstance and receiver.name == PARSER:
            return v.OpaqueInstance(NAMESPACE, (), v.fresh())
        measured = self.i.libraries.method(member, call)
        if measured is not None:
            return measured
        if type(receiver) is v.Host:
            return self.host(member, receiver, call)
        if type(receiver) is v.Transformed:
            return self.transformed(member, receiver, call)
        if kind in (v.Const, v.Text) or (type(receiver) is v.Static and receiver.type == "str"):
            return self.string(member, receiver, call)
        contents = self.i.contents(receiver)
        if kind is v.Ref:
            self.i.events.container_method_called(member.name, receiver, member.site, call)
        if type(contents) is ListObject:
            assert type(receiver) is v.Ref
            result = self.list(member, receiver, contents, call)
            self.i.events.list_changed(receiver)
            return result
        if type(contents) is DictObject:
            assert type(receiver) is v.Ref
            return self.dict(member, receiver, contents, call)
        if type(contents) is SetObject and member.name in ("add", "discard", "remove") and call.args:
            self.i.need_hash(call.node, call.arg_nodes[0], call.args[0], "set")
            assert type(receiver) is v.Ref
            self.i.write(receiver, SetObject(v.UNKNOWN))
            return v.NONE
        if type(receiver) is v.Tuple:
            if member.name == "_replace" and receiver.fields is not None and receiver.items is not None:
                items = [call.keywords.get(f, old) for f, old in zip(receiver.fields, receiver.items)]
                return v.Tuple(tuple(items), fields=receiver.fields)
            return v.STATIC_INT if member.name in ("index", "count") else v.Unknown(v.fresh())
        if type(contents) is Instance and functional_update.method(self.i, contents, member.name):
            return functional_update.replaced(self.i, contents, call)
        if type(receiver) is v.Ref and type(contents) is Instance:
            inherited = self.i.framework(contents.cls).call_inherited(receiver, contents, member.name, call)
            if inherited is not None:
                return inherited
        if kind is v.Ref:
            self.i.havoc(receiver)
        return self.i.call_unknown(member, call)

    # --- arrays -------------------------------------------------------------------------------

    def array(self, member: v.Member, receiver: v.Array | v.Undecided, call: Call) -> v.Value:
        name = member.name
        node = self.i.unit.nodes[member.site]
        cls = receiver.cls
        if self.i.typed_keys.method(name, call, node, receiver):
            return v.UNKNOWN
        if cls is not None:
            verdict = knowledge.member(name, cls)
            level = "bool" if name in _VALUE_METHODS else "float"
            if verdict == "fails" and self.i.hard(receiver, level, containers_fail=True):
                hazard: hazards.Hazard = (
                    hazards.ItemOnTracer() if name in _ITEM_METHODS else hazards.HostMethodOnTracer()
                )
                api = f".{name}"
                self.i.report(hazard, call.node, node, receiver, api=api)
                return v.UNKNOWN
        if name == "to_device" and self.i.context.region == "manual":
            self.i.report(hazards.HostMethodOnTracer(), call.node, node, receiver, api=".to_device")
        if name in _ITEM_METHODS:
            return v.Static("", v.fresh()) if name != "__array__" else v.Host()
        if name == "block_until_ready":
            return receiver
        found = knowledge.method(name)
        if found is None:
            self.i.havoc_given(call)
            return v.Unknown(v.fresh())
        if receiver.ident is not None and type(receiver) is v.Array and receiver.aval.dtype in v.KEYS:
            shape = self.aval(name, receiver, call, call.shifted((receiver,), {})).shape if is_typed(receiver) else None
            kept = same_key(receiver, shape)
            return v.Array(
                receiver.mode,
                v.Aval(receiver.aval.dtype, shape if kept else None),
                receiver.origin,
                receiver.ident if kept else v.fresh(),
            )
        decided = type(receiver) is v.Array
        if decided and self.i.events.refuses_call(f".{name}", found, call):
            return v.UNKNOWN
        self.i.api.check(f".{name}", found, call, (receiver, node) if decided else None)
        if name == "reshape" and decided:
            items = self.i.items_of(call.args[0]) if len(call.args) == 1 else None
            if self.i.transforms.exports.reshaped(call, receiver, call.args if items is None else items, node):
                return v.UNKNOWN
        operands = [receiver, *call.all()]
        self.i.events.reduced(name, call, receiver)
        if name == "astype":
            return self.astype(receiver, call)
        if type(receiver) is v.Undecided and found.result != "array":
            return v.Unknown(v.fresh())
        shifted = call.shifted((receiver,), {})
        if decided and self.i.events.refuses_arrays(f"jax.Array.{name}", shifted):
            return v.UNKNOWN
        if found.result == "array":
            if computes(f"jax.Array.{name}"):
                self.i.events.operands_read(call.node, operands)
            mode, origin = self.i.result_mode(operands, found.tangent)
            needless = self.i.is_needless(mode, operands)
            made = v.Array(mode, self.aval(name, receiver, call, shifted), origin, needless=needless)
            if self.i.context.tangents is not None:
                return self.i.transforms.tangents.computed(f".{name}", call, made)
            return identity_operations.made(name, operands, made, self.i.context.transparent)
        return self.i.api.result(f"jax.Array.{name}", found, shifted)

    def aval(self, name: str, receiver: v.Value, call: Call, shifted: Call) -> v.Aval:
        return result_aval(self.i, f"jax.Array.{name}", shifted, None)

    def astype(self, receiver: v.Value, call: Call) -> v.Value:
        given = call.get(0, "dtype")
        dtype = dtype_of(given)
        aval = self.i.aval_of(receiver)
        if (
            type(receiver) is v.Array
            and receiver.mode == v.CONCRETE
            and dtype is not None
            and dtype == aval.dtype
            and not aval.weak
        ):
            return receiver
        tangent = dtype is None or is_inexact(dtype)
        # A dtype that is not known may be an integer one, whose values carry no tangent.
        if dtype is None and receiver.cls == v.DIFFERENTIATED:
            return v.Array(v.MAYBE, v.Aval(None, aval.shape), receiver.origin, v.fresh())
        return identity_operations.made(
            "astype", [receiver], self.i.array_result([receiver], v.Aval(dtype, aval.shape), tangent)
        )

    def at(self, member: v.Member, at: v.At, call: Call) -> v.Value:
        if at.index is None:
            return v.Unknown(v.fresh())
        index_node = self.i.unit.nodes[at.index_site]
        mask = self.i.mask_of(index_node, at.index)
        certain = type(at.array) in (v.Array, v.Undecided)
        if mask is not None and certain:
            hazard = hazards.BooleanMaskIndex() if member.name == "get" else hazards.BooleanMaskUpdate()
            self.i.report(hazard, call.node, mask[0], mask[1], api=member.name)
        if not certain:
            return v.Unknown(v.fresh())
        if self.i.typed_keys.method(f"at.{member.name}", call, self.i.unit.nodes[at.array_site], at.array):
            return v.UNKNOWN
        if member.name in _AT_UPDATES and member.name != "set":
            self.i.events.operands_read(call.node, (at.array,))
        self.i.events.array_updated(call, at, member.name)
        mode, origin = self.i.result_mode([at.array, at.index, *call.args])
        aval = self.i.aval_of(at.array).spanning(None)
        part = self.i.indexed_shape(aval.shape, at.index)
        if member.name not in _AT_UPDATES:
            aval = aval.shaped(part) if member.name == "get" else v.ANY
        elif aval.dtype not in v.KEYS and self.i.events.refuses_update(call, part, member.name):
            return v.UNKNOWN
        return v.Array(mode, aval, origin, v.fresh() if aval.dtype in v.KEYS else None)

    # --- the host -----------------------------------------------------------------------------

    def host(self, member: v.Member, receiver: v.Host, call: Call) -> v.Value:
        for value, node in zip(call.args, call.arg_nodes):
            whole = member.name in ("dot", "searchsorted", "choose")  # these take arrays and nothing else
            if self.i.hard(value, "float", containers_fail=whole) and member.name != "append":
                self.i.report(hazards.NumpyOnTracer(), call.node, node, value, api=f"numpy.ndarray.{member.name}")
                return v.UNKNOWN
        if member.name in ("item", "tolist"):
            return v.Static("", v.fresh())
        if self.i.host_views.called(member.name, receiver, call, self.i.unit.nodes[member.site]):
            return v.UNKNOWN
        if member.name in ("fill", "sort", "put", "resize"):
            return v.NONE
        if member.name in ("tobytes", "dumps"):
            return v.Static("bytes", v.fresh())
        view = self.i.host_views.method(member.name, receiver, call)
        return v.Host(self.host_aval(member.name, receiver, call), view=view)

    def host_aval(self, name: str, receiver: v.Host, call: Call) -> v.Aval:
        """What is known of what a method of a NumPy array gives: its shape is that of JAX's method."""
        if name == "astype":
            return v.Aval(dtype_of(call.get(0, "dtype")), receiver.aval.shape)
        if name == "copy":
            return receiver.aval
        return of_numpy(self.aval(name, receiver, call, call.shifted((receiver,), {}))) if name in _SHAPED else v.ANY

    # --- transformed functions ----------------------------------------------------------------

    def transformed(self, member: v.Member, made: v.Transformed, call: Call) -> v.Value:
        behaviour = made.transform.behaviour
        if member.name in ("lower", "trace", "eval_shape") and behaviour == "jit":
            self.i.keys.undrawn(lambda: self.i.transforms.lowered(made, call))
            return v.Unknown(v.fresh())
        if behaviour == "haiku_transform" and member.name in ("init", "apply"):
            return self.i.haiku.method(member, made, call)
        if behaviour == "custom_rule" and member.name in ("defvjp", "defjvp", "defjvps"):
            return self.i.transforms.custom_rules.defined(made, member.name, call)
        if member.name in ("defvjp", "defjvp", "defjvps", "def_vmap", "def_partition"):
            return v.NONE
        self.i.havoc_given(call)
        return v.Unknown(v.fresh())

    # --- strings and containers ---------------------------------------------------------------

    def string(self, member: v.Member, receiver: v.Value, call: Call) -> v.Value:
        if member.name == "format":
            traced = [(x, n) for x, n in self.shown(call) if self.i.shows_tracer(x)]
            template = receiver.value if type(receiver) is v.Const else None
            failing = of_format(self.i, template, call) if isinstance(template, str) else None
            if traced:
                value, node = traced[0]
                if failing is not None:
                    self.i.report(hazards.FormatOfTracer("format"), call.node, *failing)
                    return v.STATIC_STR
                return v.Text(value, node)
            return v.STATIC_STR
        known = self.constant(member.name, receiver, call)
        if known is not None:
            return known
        if member.name == "join":
            for leaf in self.i.leaves(call.args):
                if type(leaf) is v.Text:
                    return leaf
            return v.STATIC_STR
        if member.name in ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower"):
            return v.STATIC_BOOL
        if member.name in ("split", "splitlines", "rsplit"):
            return self.i.new_list(None, v.STATIC_STR)
        if member.name in ("index", "rindex", "find", "rfind", "count"):
            return v.STATIC_INT
        if member.name not in _TO_STRING:
            return v.Unknown(v.fresh())
        return receiver if type(receiver) is v.Text else v.STATIC_STR

    def constant(self, name: str, receiver: v.Value, call: Call) -> v.Value | None:
        """What a method gives of a string that is known, asked with what is known; None for any other."""
        if name not in _OF_CONSTANTS or call.keywords or call.star or call.double_star:
            return None
        constants = [each.value for each in (receiver, *call.args) if type(each) is v.Const]
        if len(constants) != 1 + len(call.args):
            return None
        text, *given = constants
        if type(text) is not str or len(text) + sum(len(str(each)) for each in given) > _MAX_TEXT:
            return None
        try:
            found = getattr(text, name)(*given)
        except (TypeError, ValueError):
            return None
        if type(found) is list:
            return self.i.new_list(tuple(map(v.Const, found)))
        return v.Tuple(tuple(map(v.Const, found))) if type(found) is tuple else v.Const(found)

    def shown(self, call: Call) -> list[tuple[v.Value, ir.Node]]:
        pairs = list(zip(call.args, call.arg_nodes))
        return pairs + [(value, call.keyword_nodes.get(name, call.node)) for name, value in call.keywords.items()]

    def list(self, member: v.Member, receiver: v.Ref, contents: ListObject, call: Call) -> v.Value:
        name = member.name
        if name == "append" and call.args:
            items = contents.items
            if items is not None and len(items) < 64:
                self.i.write(receiver, ListObject(items + (call.args[0],)))
            else:
                self.i.write(receiver, ListObject(None, v.join(contents.summary(), call.args[0])))
            return v.NONE
        if name == "extend" and call.args:
            added = self.i.items_of(call.args[0])
            if contents.items is not None and added is not None and len(added) < 64:
                self.i.write(receiver, ListObject(contents.items + tuple(added)))
            else:
                element = self.i.element_of(call.arg_nodes[0], call.args[0])
                whole = element if contents.items == () else v.join(contents.summary(), element)
                self.i.write(receiver, ListObject(None, whole))
            return v.NONE
        if name == "pop":
            element = contents.summary()
            index = call.args[0] if call.args else v.Const(-1)
            if (
                contents.items
                and type(index) is v.Const
                and isinstance(index.value, int)
                and -len(contents.items) <= index.value < len(contents.items)
            ):
                element = contents.items[index.value]
                self.i.write(receiver, contents.without(index))
            else:
                self.i.write(receiver, ListObject(None, contents.summary()))
                element = self.i.renewed(element)
            return element
        if name == "copy":
            return self.i.new_list(contents.items, contents.element)
        if name in ("index", "count"):
            return v.STATIC_INT
        if name == "insert" and len(call.args) == 2:
            index, items = call.args[0], contents.items
            if items is not None and len(items) < 64 and type(index) is v.Const and isinstance(index.value, int):
                self.i.write(receiver, ListObject((*items[: index.value], call.args[1], *items[index.value :])))
                return v.NONE
            self.i.write(receiver, ListObject(None, v.join(contents.summary(), call.args[1])))
            return v.NONE
        if name == "reverse" and contents.items is not None:
            self.i.write(receiver, ListObject(contents.items[::-1]))
            return v.NONE
        if name in ("sort", "reverse", "remove", "clear"):
            element = contents.summary()
            if name == "sort" and len(contents.items or (1, 2)) > 1:
                if not v.is_none(call.keywords.get("key", v.NONE)):
                    element = self.i.call(call.keywords["key"], self.i.simple_call(call.node, [element]))
                if type(element) is v.Array and self.i.hard(element, "bool"):
                    node = self.i.unit.nodes[member.site]
                    self.i.report(hazards.BuiltinReductionOnTracer(), call.node, node, element, api="builtins.sorted")
            self.i.write(receiver, ListObject(() if name == "clear" else None, contents.summary()))
            return v.NONE
        self.i.havoc(receiver)
        return v.Unknown(v.fresh())

    def tree(self, receiver: v.Undecided, name: str, call: Call) -> v.Value | None:
        """A method of dicts, called on an argument that is traced with all its leaves; None for another."""
        item = receiver.renewed(v.fresh())
        if name == "items":
            return v.Iterator(v.Tuple((v.Unknown(v.fresh()), item)), form="view")
        if name in ("values", "copy"):
            return item if name == "copy" else v.Iterator(item, form="view")
        if name in ("get", "pop") and call.args and type(call.args[0]) is v.Const:
            found = self.i.stored_item(receiver, call.args[0])
            found = found or receiver.renewed(self.i.child_ident(receiver, call.args[0]))
            return (
                v.join(found, call.args[1]) if len(call.args) > 1 else found if name == "pop" else v.join(found, v.NONE)
            )
        if name == "update" and len(call.args) < 2:
            given = self.i.mapping(call.args[0]) if call.args else DictObject({})
            for key, value in {**given.items, **call.keywords}.items():
                self.i.store_item(receiver, v.Const(key), value)
            return v.NONE if given.rest is None or given.rest.cls == receiver.cls else None
        return None

    def dict(self, member: v.Member, receiver: v.Ref, contents: DictObject, call: Call) -> v.Value:
        name = member.name
        values = list(contents.items.values()) + ([contents.rest] if contents.rest is not None else [])
        joined = values[0] if values else v.UNKNOWN
        for value in values[1:]:
            joined = v.join(joined, value)
        exact = contents.rest is None
        if name == "items":
            rows = tuple(v.Tuple((v.Const(key), value)) for key, value in contents.items.items())
            key = v.STATIC_STR if exact else v.Unknown(v.fresh())
            return v.Iterator(v.Tuple((key, joined)), rows if exact else None, "view")
        if name == "values":
            return v.Iterator(joined, tuple(values) if exact else None, "view")
        if name == "keys":
            keys = tuple(v.Const(key) for key in contents.items)
            return v.Iterator(v.STATIC_STR if exact else v.Unknown(v.fresh()), keys if exact else None, "view")
        if name in ("get", "pop", "setdefault") and call.args:
            index = call.args[0]
            base, key_node = self.i.unit.nodes[member.site], call.arg_nodes[0]
            node = ir.Subscript(call.node.site, base, key_node if isinstance(key_node, ir.Expression) else base)
            found = self.i.dict_item(node, contents, index)
            if type(index) is v.Const and exact and isinstance(index.value, (str, int)):
                if index.value not in contents.items:
                    found = call.args[1] if len(call.args) > 1 else v.NONE
            elif len(call.args) > 1 or name == "get":
                found = v.join(found, call.args[1] if len(call.args) > 1 else v.NONE)
            if name == "pop":
                self.i.write(receiver, contents.without(index))
            elif name == "setdefault" and type(index) is v.Const and exact:
                self.i.write(receiver, DictObject({**contents.items, index.value: found}))
            elif name == "setdefault":
                self.i.write(receiver, DictObject(contents.items, v.Unknown(v.fresh())))
            return found
        if name == "update":
            other = (
                self.i.mapping(call.args[0]) if call.args else DictObject({}, call.each if call.double_star else None)
            )
            rest = contents.rest
            # What is not known may stand for one of those that are.
            items = contents.items if other.rest is None else {}
            if other.rest is not None:
                rest = functools.reduce(v.join, [*values, other.rest])
            self.i.write(receiver, DictObject({**items, **other.items, **call.keywords}, rest))
            return v.NONE
        if name == "copy":
            return self.i.new_object(DictObject(contents.items, contents.rest))
        self.i.havoc(receiver)
        return v.Unknown(v.fresh())
