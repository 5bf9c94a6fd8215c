"""Typed keys taken for what legacy keys are: arrays of two numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject
from jaxlint.analysis.shapes.laws import dtype_name
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import misuse

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Shapes of the data of one legacy key: of threefry, and of rbg.
_LEGACY_SHAPES = ((2,), (4,))
_KEY_DTYPES = frozenset({"jax.dtypes.prng_key", "jax.dtypes.extended"})
_CONVERSIONS = frozenset({"jax.numpy.array", "jax.numpy.asarray"})


@hazard_class()
class TypedKeyMisuse(Hazard):
    """A typed key is taken for an array of numbers.

    Site: what fails on a typed key, or is never true of one; operand: the key; api.
    """


class TypedKeys(Component):
    """Component of the interpreter. Each question says whether a typed key fails there, and records it."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.made: set[int] = self.i.per_module(set())  # sites of the calls that make typed keys

    def fails(self, operation: str, node: ir.Node, key_node: ir.Node, key: v.Value) -> bool:
        if misuse.fails_on_typed_key(operation) is None:
            if not is_single(key) or misuse.fails_on_typed_key(f"one {operation}") is None:
                return False
        self.i.report(TypedKeyMisuse(), node, key_node, key, api=operation)
        return True

    # --- expressions --------------------------------------------------------------------------

    def operator(self, node: ir.Node, op: str, left: v.Value, right: v.Value) -> bool:
        if not self.made:
            return False
        for value, other, name in ((left, right, "left"), (right, left, "right")):
            if is_typed(value) and not isinstance(other, (v.Ref, v.Unknown, v.Undecided)):
                return self.fails(f"operator {op}", node, _operand(node, name), value)
        return False

    def unary(self, node: ir.Unary, value: v.Value) -> bool:
        return is_typed(value) and self.fails(f"unary {node.op}", node, node.operand, value)

    def subscript(self, node: ir.Subscript, key: v.Value, index: v.Value) -> bool:
        """A single key has nothing to take by a number; `key[None]` and `key[...]` work."""
        parts = index.items if type(index) is v.Tuple and index.items is not None else (index,)
        takes = any(type(p) is v.Slice or self.i.aval_of(p).shape == () for p in parts)
        return is_typed(key) and takes and self.fails("subscript", node, node.value, key)

    def iteration(self, node: ir.Node, key: v.Value) -> bool:
        return is_typed(key) and self.fails("iteration", node, node, key)

    def attribute(self, node: ir.Attribute, key: v.Value, attr: str) -> bool:
        """An attribute that is no method, or that typed keys do not have."""
        operation = f"jax.Array.{attr}"
        if misuse.fails_on_typed_key(operation) not in (None, "NotImplementedError") or attr in ("real", "imag", "mT"):
            return self.fails(operation, node, node.value, key)
        return False

    def comparison(
        self, node: ir.Node, op: str, left: v.Value, right: v.Value, left_node: ir.Node, right_node: ir.Node
    ) -> bool:
        """An ordering, which fails, or a test that takes the key for its numbers, which is never true."""
        if not self.made:
            return False
        if op not in ("==", "!="):
            for value, key_node in ((left, left_node), (right, right_node)):
                if is_typed(value) and self.fails(f"operator {op}", node, key_node, value):
                    return True
            return False
        for value, other, asked in ((left, right, left_node), (right, left, right_node)):
            if type(value) is v.Static and value.type == "key dtype" and _names_words(other):
                return self.never(node, asked, "dtype")
            if (
                type(asked) is ir.Attribute
                and asked.attr == "shape"
                and _shape(value) == ()
                and _shape(other) in _LEGACY_SHAPES
            ):
                if is_typed(self.i.bases.get(asked.site, v.UNKNOWN)):
                    return self.never(node, asked, "shape")
        return False

    def equality(self, op: str, left: v.Value, right: v.Value) -> v.Value | None:
        """The dtype of a typed key is none of those of numbers."""
        for one, other in ((left, right), (right, left)):
            if type(one) is v.Static and one.type == "key dtype" and _names_number(other):
                return v.Const(op == "!=") if op in ("==", "!=") else None
        return None

    def never(self, node: ir.Node, asked: ir.Node, attr: str) -> bool:
        key_node = asked.value if type(asked) is ir.Attribute else asked
        self.i.report(TypedKeyMisuse(), node, key_node, self.i.bases.get(asked.site, v.UNKNOWN), api=attr)
        return True

    def among(self, tree: v.Value, depth: int = 0) -> v.Value | None:
        """A typed key among the leaves of a tree that holds other things as well; None where there is none for certain."""
        if not self.made or type(tree) not in (v.Tuple, v.Ref) or depth > 4:
            return None
        contents = self.i.contents(tree)
        items = (
            tuple(contents.items.values()) if type(contents) is DictObject else getattr(contents or tree, "items", None)
        )
        keys = [item if is_typed(item) else self.among(item, depth + 1) for item in items or ()]
        return next((key for key in keys if key is not None), None)

    # --- calls --------------------------------------------------------------------------------

    def call(self, name: str, call: Call) -> bool:
        """A function that wants numbers is given a typed key as what it works on."""
        if not self.made:
            return False
        for key, node in self.given(name, call):
            if name in _CONVERSIONS and _names_number(call.get(1, "dtype")):
                self.i.report(TypedKeyMisuse(), call.node, node, key, api=name)
                return True
            if self.fails("length" if name == "builtins.len" else name, call.node, node, key):
                return True
        return False

    def given(self, name: str, call: Call) -> Iterator[tuple[v.Value, ir.Node]]:
        """The typed keys among the arguments: NumPy converts them all, of others the first is looked at."""
        pairs = list(zip(call.args, call.arg_nodes))
        if name.startswith("numpy."):
            pairs += [(value, call.keyword_nodes.get(n, call.node)) for n, value in call.keywords.items()]
        for value, node in pairs if name.startswith("numpy.") else pairs[:1]:
            converted = type(value) in (v.Tuple, v.Ref) and name.startswith(("numpy.", "jax.numpy."))
            for leaf in self.i.leaves([value]) if converted else (value,):
                if is_typed(leaf):
                    yield leaf, node

    def method(self, name: str, call: Call, node: ir.Node, key: v.Value) -> bool:
        return is_typed(key) and self.fails(f"jax.Array.{name}", call.node, node, key)

    def test(self, call: Call) -> v.Value | None:
        """`jnp.issubdtype(key.dtype, jax.dtypes.prng_key)` is True of typed keys, and False with a number type or of numbers."""
        if len(call.args) != 2 or type(call.args[0]) is not v.Static or type(call.args[1]) is not v.Api:
            return None
        given, wanted = call.args[0], call.args[1].name in _KEY_DTYPES
        if given.type == "key dtype":
            return v.Const(wanted)
        is_number = given.type == "dtype" and given.ident is not None and given.ident[0] == "dtype"
        return v.FALSE if wanted and is_number else None


def is_typed(value: v.Value) -> bool:
    return type(value) is v.Array and value.aval.dtype == v.TYPED_KEY


def is_single(key: v.Value) -> bool:
    """Whether the value is one key for certain."""
    return type(key) is v.Array and key.aval.shape == ()


def _operand(node: ir.Node, side: str) -> ir.Node:
    if type(node) is ir.Augment:
        return node.target if side == "left" else node.value
    found = getattr(node, side, None)
    return node if found is None else found


def _shape(value: v.Value) -> tuple[object, ...] | None:
    """A tuple of numbers, where all are known."""
    found = v.constants(value.items, object) if type(value) is v.Tuple else None
    return None if found is None else tuple(found)


def _names_words(value: v.Value) -> bool:
    """Whether the value is the dtype of the numbers of a key: uint32."""
    if type(value) is v.Api:
        return dtype_name(value.name) == "uint32"
    return type(value) is v.Const and value.value == "uint32"


def _names_number(value: v.Value | None) -> bool:
    if type(value) is v.Api:
        return dtype_name(value.name) is not None
    return type(value) is v.Const and isinstance(value.value, str)
