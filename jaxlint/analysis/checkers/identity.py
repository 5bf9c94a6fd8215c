"""Questions about arrays that have one answer: identity where equality is meant, and classes without instances.

A dtype is an object of its own and never one of the scalar types; `jnp.float32` has no instances, `jax.Array`
none of exactly its type, and nothing equals NaN.
"""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings

_TYPES = frozenset(
    "bool_ int4 int8 int16 int32 int64 uint4 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"
    " float8_e4m3fn float8_e5m2 float8_e4m3b11fnuz".split()
)
_ARRAY = frozenset({"jax.Array", "jax.numpy.ndarray"})
_NAN = frozenset({"nan", "NaN", "NAN"})
_OPERATORS = frozenset({"is", "is not", "==", "!=", "in", "not in"})


@hazard_class(consequence=Consequence.SILENT)
class IdentityComparison(Hazard):
    """A comparison or type test has the same answer for every array.

    Site: the comparison; operand: what is asked; api: operator; parameter: "dtype" .
    """

    other: int


class Identity(Checker):
    """Comparisons that have one answer."""

    def subscribe(self, events: Events) -> None:
        events.compared.append(self.compared)
        events.type_tested.append(self.instance)

    def compared(
        self, node: ir.Node, op: str, left: v.Value, left_node: ir.Node, right: v.Value, right_node: ir.Node
    ) -> None:
        """One comparison of two values."""
        if op not in _OPERATORS:
            return
        if op in ("in", "not in"):
            self.member(node, op, left, left_node, right_node)
            return
        for value, at, other, other_node in (
            (left, left_node, right, right_node),
            (right, right_node, left, left_node),
        ):
            found = self.constant(op, value, at, other, other_node)
            if found is not None:
                self.i.report(IdentityComparison(other_node.site), node, at, value, api=op, parameter=found)
                return

    def constant(self, op: str, value: v.Value, at: ir.Node, other: v.Value, other_node: ir.Node) -> str | None:
        """What makes a comparison come out the same for any array; None where nothing does."""
        identical = op in ("is", "is not")
        if identical and self.is_dtype(at) and self.scalar_type(other, "jax.numpy.", "numpy.", "builtins."):
            return "dtype"
        if (
            self.is_type(at)
            and type(other) is v.Api
            and (other.name in _ARRAY or (identical and self.scalar_type(other, "jax.numpy.")))
        ):
            return "type"
        if (
            not identical
            and self.is_nan(other_node)
            and (self.is_of_jax(other_node) or type(value) in (v.Array, v.Undecided))
        ):
            return "nan"
        if identical and type(value) is v.Array and type(other) is v.Const and type(other.value) in (bool, int, float):
            passed = type(at) is ir.Name and at.id in self.i.frame.passed and not bindings(self.i.frame.scope, at.id)
            # Where this caller passes an array, another one may pass True itself.
            return None if passed and type(other.value) is bool and value.was != "bool" else "array"
        return None

    def member(self, node: ir.Node, op: str, left: v.Value, left_node: ir.Node, right_node: ir.Node) -> None:
        """`x.dtype in {jnp.float32}`: a set looks for the hash, and that of a dtype is another."""
        if type(right_node) is not ir.Sequence or right_node.kind != "set" or not self.is_dtype(left_node):
            return
        classes = [self.i.eval(element) for element in right_node.elements]
        if all(self.scalar_type(each, "jax.numpy.", "numpy.", "builtins.") for each in classes):
            self.i.report(IdentityComparison(right_node.site), node, left_node, left, api=op, parameter="set")

    def instance(self, call: Call) -> None:
        """``isinstance(x, jnp.float32)``"""
        if len(call.args) != 2 or call.star or type(call.args[0]) not in (v.Array, v.Undecided):
            return
        classes = self.i.items_of(call.args[1]) if type(call.args[1]) is v.Tuple else [call.args[1]]
        if not classes or not any(self.scalar_type(each, "jax.numpy.") for each in classes):
            return
        if all(self.scalar_type(each, "jax.numpy.", "numpy.", "builtins.") for each in classes):
            self.i.report(
                IdentityComparison(call.arg_nodes[1].site),
                call.node,
                call.arg_nodes[0],
                call.args[0],
                api="isinstance",
                parameter="class",
            )

    # --- what an expression stands for --------------------------------------------------------

    def is_dtype(self, node: ir.Node) -> bool:
        """Whether it is the dtype of an array."""
        if type(node) is not ir.Attribute or node.attr != "dtype":
            return False
        return type(self.i.bases.get(node.site)) in (v.Array, v.Undecided, v.Host)

    def is_type(self, node: ir.Node) -> bool:
        callee = self.i.last_callee.get(node.site) if type(node) is ir.Call and len(node.args) == 1 else None
        return type(callee) is v.Api and callee.name == "builtins.type"

    def scalar_type(self, value: v.Value, *modules: str) -> bool:
        if type(value) is not v.Api:
            return False
        module, _, name = value.name.rpartition(".")
        if module == "builtins":
            return "builtins." in modules and name in ("float", "int", "bool", "complex")
        return f"{module}." in modules and name in _TYPES

    def is_nan(self, node: ir.Node) -> bool:
        if type(node) is ir.Attribute:
            base = self.i.bases.get(node.site)
            return type(base) is v.Api and base.name in ("jax.numpy", "numpy", "math") and node.attr in _NAN
        if type(node) is ir.Call and len(node.args) == 1 and type(node.args[0]) is ir.Constant:
            callee = self.i.last_callee.get(node.site)
            return (
                type(callee) is v.Api and callee.name == "builtins.float" and str(node.args[0].value).lower() == "nan"
            )
        return False

    def is_of_jax(self, node: ir.Node) -> bool:
        base = self.i.bases.get(node.site) if type(node) is ir.Attribute else None
        return type(base) is v.Api and base.name == "jax.numpy"
