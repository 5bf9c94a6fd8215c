"""Objects that libraries part into arrays and all else, and put together again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.promotion import is_inexact
from jaxlint.analysis.domain.state import Instance
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_GRAPH = "flax.nnx.GraphDef"
UNRAVEL = "jax.flatten_util.unravel"
_OF_ARRAYS = frozenset(
    {"equinox.is_array", "equinox.is_inexact_array", "equinox.is_array_like", "equinox.is_inexact_array_like"}
)
_ARRAYS = frozenset({v.Array, v.Host})
_TREES = frozenset({v.Ref, v.Tuple})
_MODES = frozenset({"equinox.nn.inference_mode", "equinox.tree_inference"})
# Functions that read a tree and leave it as it is.
_READING = frozenset(
    f"equinox.{name}"
    for name in (
        "filter nn.inference_mode tree_at tree_check tree_equal tree_flatten_one_level tree_inference tree_pformat"
        " tree_pprint tree_serialise_leaves"
    ).split()
)


def call(i: Interpreter, name: str, call: Call) -> v.Value | None:
    """What such a function gives; None for any other."""
    if call.star or call.double_star:
        return None
    tree = i.contents(call.get(1, "pytree") or v.NONE) if name == "equinox.tree_at" else None
    if type(tree) is Instance and tree.cls.family == "equinox":
        i.call_unknown(v.Api(name), i.simple_call(call.node, [each for each in call.all() if type(each) not in _TREES]))
        return _changed(i, call.get(0, "where") or v.UNKNOWN, tree)
    if not call.args:
        return None
    if name == "equinox.partition" and len(call.args) > 1:
        chosen = call.args[1]
        if type(chosen) is not v.Api or chosen.name not in _OF_ARRAYS or "replace" in call.keywords:
            return None
        return v.Tuple((_part(i, call.args[0], True), _part(i, call.args[0], False)))
    if name == "equinox.filter" and len(call.args) == 2 and not call.keywords:
        chosen = call.args[1]
        if type(chosen) is v.Api and chosen.name in _OF_ARRAYS:
            i.equinox.filtered(call.args[0], call.node)
            return _filtered(i, call.args[0])
    if name in _OF_ARRAYS and (answer := _is_array(name, call.args[0])) is not None:
        return v.Const(answer)
    training = call.get(1, "value") if name in _MODES and type(i.contents(call.args[0])) is Instance else None
    if type(training) is v.Const and training.value is False:
        return i.transforms.rebuilt(call.args[0], lambda part: part)  # as layers are made
    if name in _READING:
        others = [(value, node) for value, node in zip(call.args, call.arg_nodes) if type(value) not in _TREES]
        args, nodes = [value for value, _ in others], [node for _, node in others]
        return i.call_unknown(v.Api(name), Call(call.node, args, nodes, call.keywords, call.keyword_nodes))
    if name == "equinox.combine" and len(call.args) == 2:
        return _combined(i, call.args[0], call.args[1])
    if name == "equinox.filter_shard" or (
        name == "equinox.apply_updates" and type(i.contents(call.args[0])) is Instance
    ):
        return i.transforms.rebuilt(call.args[0], lambda part: part)
    if name == "flax.nnx.split" and type(i.contents(call.args[0])) is Instance:
        states = max(len(call.args) - 1, 1)
        graph = v.OpaqueInstance(_GRAPH, (call.args[0],), v.fresh())
        return v.Tuple((graph, *(v.Unknown(v.fresh()) for _ in range(states))))
    if name == "flax.nnx.merge" and type(call.args[0]) is v.OpaqueInstance and call.args[0].name == _GRAPH:
        contents = i.contents(call.args[0].args[0])
        if type(contents) is not Instance:
            return None
        return i.new_object(Instance(contents.cls, i.pytrees.rebuilt(contents, lambda _: v.Unknown(v.fresh())).fields))
    return None


def _changed(i: Interpreter, where: v.Value, tree: Instance) -> v.Value:
    """A module of which `tree_at` has replaced parts of the fields that its lambda reads, or else of any field."""
    function = where.function if type(where) is v.FunctionValue and where.function.is_lambda else None
    changed = set(tree.fields)
    if function is not None and len(function.parameters) == 1:
        nodes = list(ir.walk(function.body))
        reads = [each for each in nodes if type(each) is ir.Name and each.id == function.parameters[0].name]
        named = {each.value.site: each.attr for each in nodes if type(each) is ir.Attribute}
        if all(each.site in named for each in reads):
            changed = {named[each.site] for each in reads}
    fields = {name: v.Unknown(v.fresh()) if name in changed else value for name, value in tree.fields.items()}
    return i.new_object(Instance(tree.cls, fields))


def unravelled(i: Interpreter, tree: v.Value, flat: v.Value) -> v.Value:
    """What the function that `ravel_pytree` gives makes of an array: a tree like the one that was taken apart."""
    mode, origin = i.result_mode([flat])
    if mode not in v.TRACED or origin is None:
        return v.Unknown(v.fresh())
    return i.transforms.traced(tree, mode, origin)


def _is_array(name: str, value: v.Value) -> bool | None:
    """What a predicate of Equinox says of a value; None where that is not known."""
    if type(value) is v.Const and isinstance(value.value, (bool, int, float, complex)):
        inexact = isinstance(value.value, (float, complex))
        return name.endswith("_like") and (inexact or "inexact" not in name)
    if type(value) is v.Const or type(value) is v.Tuple:
        return False
    if type(value) is not v.Array or value.presumed:
        return None
    dtype = value.aval.dtype
    if "inexact" not in name:
        return True
    return None if dtype is None else is_inexact(dtype) and dtype not in v.KEYS


def _part(i: Interpreter, value: v.Value, arrays: bool) -> v.Value:
    """The arrays of a tree with None for all else, or the other way round."""
    if type(value) in _TREES:
        return i.transforms.rebuilt(value, lambda part: _part(i, part, arrays))
    if type(value) in (v.Unknown, v.Undecided):
        is_object = type(value) is v.Unknown and bool(value.options)  # which holds more than arrays
        return value if arrays and not is_object else v.Unknown(v.fresh())
    return value if (type(value) in _ARRAYS) is arrays else v.NONE


def _filtered(i: Interpreter, value: v.Value) -> v.Value:
    """The arrays of a tree with None for all else; those of a layer of a library are not known."""
    if type(value) in _TREES:
        return i.transforms.rebuilt(value, lambda part: _filtered(i, part))
    return v.Unknown(v.fresh()) if type(value) is v.OpaqueInstance else _part(i, value, True)


def _combined(i: Interpreter, first: v.Value, second: v.Value) -> v.Value:
    """Two trees with None where the other has a leaf."""
    one, other = i.contents(first), i.contents(second)
    if type(one) is Instance and type(other) is Instance and one.cls is other.cls:
        fields = {
            name: _combined(i, value, other.fields[name]) for name, value in one.fields.items() if name in other.fields
        }
        return i.new_object(Instance(one.cls, fields, one.called))
    if v.is_none(first):
        return second
    if v.is_none(second):
        return first
    first_items, second_items = i.items_of(first), i.items_of(second)
    if first_items is not None and second_items is not None and len(first_items) == len(second_items):
        items = tuple(_combined(i, one, other) for one, other in zip(first_items, second_items))
        return v.Tuple(items) if type(first) is v.Tuple else i.new_list(items)
    return first if first is second else v.Unknown(v.fresh())
