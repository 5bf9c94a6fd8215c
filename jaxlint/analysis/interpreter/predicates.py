"""Builtins that ask for the truth of elements or compare them: `max`, `min`, `sorted`, `any`, `all`, `filter`.

And arrays of which one element is asked for, while they have several.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import BranchOnTracer, BuiltinReductionOnTracer, NonScalarConversion
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, values_in
from jaxlint.analysis.models import enumerations
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_DECIDING = {"builtins.any": True, "builtins.all": False}  # the truth of one that decides for all
_FEW = 8  # elements; of more, what is asked of the first says enough


def has_several(i: Interpreter, node: ir.Node, operand: ir.Node, value: v.Value, api: str | None = None) -> bool:
    """Whether an array has more than the one element that is asked for; recorded if so."""
    shape = value.aval.shape if type(value) is v.Array and value.aval.dtype not in v.KEYS else None
    sizes = [size for size in shape or () if type(size) is int]
    if i.possible or not sizes or shape is None or len(sizes) != len(shape) or math.prod(sizes) < 2:
        return False
    i.report(NonScalarConversion(tuple(sizes)), node, operand, value, api=api)
    return True


def filtered(i: Interpreter, call: Call) -> v.Value:
    """`filter(test, elements)` decides by what the test says of each; without a test, by the element."""
    if len(call.args) != 2:
        return v.Unknown(v.fresh())
    test, element = call.args[0], i.element_of(call.arg_nodes[1], call.args[1])
    plain = v.is_none(test)
    answer = element if plain else i.call(test, i.simple_call(call.node, [element]))
    if type(answer) is v.Array and i.hard(answer, "bool"):
        i.report(BranchOnTracer("filter"), call.node, call.arg_nodes[0 if not plain else 1], answer)
        return v.UNKNOWN
    return v.Iterator(element)


def decided(i: Interpreter, decisive: bool, values: list[v.Value], exact: bool) -> v.Value:
    """Whether one of the values has this truth, which decides. Unless ``exact``, each stands for any number of them."""
    truths = [i.truth(value) for value in values]
    if exact and decisive in truths:
        return v.Const(decisive)
    return (
        v.Const(not decisive)
        if (truths or exact) and all(truth is (not decisive) for truth in truths)
        else v.STATIC_BOOL
    )


def keyed(i: Interpreter, name: str, call: Call) -> v.Value:
    """With `key=`, what is compared is what that function makes of each element."""
    key = call.keywords["key"]
    if len(call.args) > 1:
        pairs = list(zip(call.args, call.arg_nodes))
    elif type(call.args[0]) is v.Array:
        pairs = [(i.element_of(call.arg_nodes[0], call.args[0]), call.arg_nodes[0])] * 2
    else:
        items = i.items_of(call.args[0])
        if items is None and type(call.args[0]) not in (v.Undecided, v.Unknown):  # such as `zip(…)`
            items = [i.element_of(call.arg_nodes[0], call.args[0])] * 2
        pairs = [(item, call.arg_nodes[0]) for item in items or ()]
    for value, node in pairs[:_FEW] if len(pairs) > 1 else ():
        compared = i.call(key, i.simple_call(call.node, [value]))
        if type(compared) is v.Array and i.hard(compared, "bool"):
            i.report(BuiltinReductionOnTracer(), call.node, node, compared, api=name)
            return v.UNKNOWN
    if len(call.args) > 1:
        return v.Unknown(v.fresh())
    element = i.element_of(call.arg_nodes[0], call.args[0])
    return i.new_list(None, element) if name == "builtins.sorted" else element


def reduction(i: Interpreter, name: str, call: Call) -> v.Value:
    """max, min, sorted, any, all: comparisons or bools of what they are given."""
    if not call.args:
        return v.Unknown(v.fresh())
    if "key" in call.keywords:
        return keyed(i, name, call)
    several = len(call.args) > 1
    items: Sequence[v.Value] | None = None
    candidates = list(zip(call.args, call.arg_nodes))
    if not several:
        value = call.args[0]
        symbolic = type(value) is v.Array and value.aval.shape and v.is_symbolic(value.aval.shape[0])
        if symbolic or type(value) is v.MemoryRef:
            i.element_of(call.arg_nodes[0], value)  # iterating fails first
            return v.UNKNOWN
        if i.hard(value, "bool") and type(value) is v.Array:
            i.report(BuiltinReductionOnTracer(), call.node, call.arg_nodes[0], value, api=name)
            return v.UNKNOWN
        items = i.items_of(value)
        if items is not None:
            candidates = [(item, call.arg_nodes[0]) for item in items]
        elif type(value) not in (v.Undecided, v.Unknown):
            candidates = [(i.element_of(call.arg_nodes[0], value), call.arg_nodes[0])] * 2
        else:
            candidates = []
    sized = i.symbolic.extreme(name, call, candidates)
    if sized is not None:
        return sized
    single = len(candidates) == 1 and name in ("builtins.max", "builtins.min", "builtins.sorted")
    numbers = any(v.is_scalar_const(value) or type(value) in (v.Static, v.Array) for value, _ in candidates)
    for value, node in candidates:
        if (
            type(value) is v.Array
            and value.mode in (v.CONCRETE, v.MAYBE, v.DIFFERENTIATED)
            and name not in ("builtins.any", "builtins.all")
        ):
            value = i.array_result([value])  # in staged code, what compares an array from outside is a tracer
        undecided = several and numbers and type(value) is v.Undecided
        if not single and (type(value) is v.Array or undecided) and i.hard(value, "bool", containers_fail=undecided):
            i.report(BuiltinReductionOnTracer(), call.node, node, value, api=name)
            return v.UNKNOWN
    if name in _DECIDING:
        return decided(i, _DECIDING[name], [value for value, _ in candidates], exact=items is not None)
    if name == "builtins.sorted" and items and not call.keywords and (ordered := _sorted(items)) is not None:
        return i.new_list(tuple(ordered))
    kinds = [kind for value, _ in candidates if (kind := v.python_type(value)) is not None]
    if kinds and len(kinds) == len(candidates):
        if name == "builtins.sorted":
            return i.new_list(None, v.Static(kinds[0], v.fresh()))
        return v.Static(kinds[0] if len(set(kinds)) == 1 else "", v.fresh())
    arrays = [value for value, _ in candidates if value.cls is not None]
    if arrays and name in ("builtins.max", "builtins.min"):
        return i.array_result(arrays)
    return i.new_list(None, v.Unknown(v.fresh())) if name == "builtins.sorted" else v.Unknown(v.fresh())


def _sorted(items: Sequence[v.Value]) -> list[v.Value] | None:
    """Constants in their order, or pairs in that of the different constants they begin with; None where that is not known."""
    firsts = [each.items[0] if type(each) is v.Tuple and each.items else each for each in items]
    keys = [first.value for first in firsts if type(first) is v.Const]
    with suppress(TypeError):  # which Python raises as well
        if len(keys) == len(items) and (firsts == list(items) or len(set(keys)) == len(keys)):
            return [items[number] for number in sorted(range(len(keys)), key=keys.__getitem__)]
    return None


def are_same(left: v.Value, right: v.Value) -> bool | None:
    """Whether two functions, classes or members of an enumeration are one. Names of libraries may be of one function, but for those of transforms."""
    if type(left) is type(right) and type(left) in (v.Api, v.ClassValue) and left.key == right.key:
        return True
    if v.FunctionValue in (type(left), type(right)) and v.Api in (type(left), type(right)):
        return False
    if type(left) is v.Api and type(right) is v.Api:
        one, other = transform(left.name), transform(right.name)
        return False if one is not None and other is not None and one.name != other.name else None
    return enumerations.are_same(left, right)


def identity(i: Interpreter, op: str, left: v.Value, right: v.Value) -> v.Value:
    """`left is right`, or with `is not` the opposite."""
    positive = op == "is"
    if (same := are_identical(i, left, right)) is not None:
        return v.Const(same is positive)
    none_left = v.is_none(left)
    none_right = v.is_none(right)
    if none_left and none_right:
        return v.Const(positive)
    if none_left or none_right:
        other = right if none_left else left
        certain = (v.Array, v.Host, v.Tuple, v.FunctionValue, v.ClassValue, v.Text, v.Partial, v.Transformed)
        # A static argument can be None; a number cannot.
        if isinstance(other, certain) or type(other) is v.Const:
            return v.Const(not positive)
        if type(other) is v.Static and (other.type in v.NUMERIC_TYPES or other.type in ("dim", v.MEMBER)):
            return v.Const(not positive)
        if type(other) is v.Ref and i.contents(other) is not None:
            return v.Const(not positive)
        assert i.state is not None
        if other.ident is not None and (("not None", *other.ident), "") in i.state.fields:
            return v.Const(not positive)
    return v.STATIC_BOOL


def are_identical(i: Interpreter, left: v.Value, right: v.Value) -> bool | None:
    """Whether two arrays, containers or objects of the project are one; None where that is not known."""
    kinds = _kind_of_object(i, left), _kind_of_object(i, right)
    if None in kinds:
        return None
    if kinds[0] != kinds[1]:
        return False
    if type(left) is not v.Ref or type(right) is not v.Ref or left.location != right.location:
        return None
    return None if _is_element(i, left) else True


def _kind_of_object(i: Interpreter, value: v.Value) -> object:
    contents = i.contents(value)
    if type(contents) is Instance:
        return contents.cls.definition.site
    if type(value) is v.Array:
        return v.Array if value.aval.dtype is not None else None
    return type(contents) if contents is not None else v.Tuple if type(value) is v.Tuple else None


def _is_element(i: Interpreter, ref: v.Ref) -> bool:
    """Whether an object stands for any number of them: for the elements of what is of unknown length."""
    assert i.state is not None
    held = [*i.state.heap.values(), *i.world.heap.values()]
    values = [*map(values_in, held), *(frame.values() for frame in i.state.frames.values())]
    elements = [each.element for each in held if type(each) is ListObject and each.items is None]
    elements += [each.rest for each in held if type(each) is DictObject and each.rest is not None]
    elements += [
        each.element
        for inside in values
        for each in inside
        if type(each) is v.Iterator or (type(each) is v.Tuple and each.items is None)
    ]
    return any(type(each) is v.Ref and each.location == ref.location for each in elements)
