"""What code does with symbolic dimensions where it has sizes: arithmetic, comparison, conversion.

Of a dimension whose constraints are not known nothing is decided, but that it is no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.dimensions import (
    Dimension,
    Size,
    added,
    compared,
    divided,
    is_open,
    multiplied,
    parsed,
    product,
    remainder,
)
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.knowledge import release

if TYPE_CHECKING:
    from jaxlint.analysis.domain.call import Call
    from jaxlint.ir import nodes as ir

_ARITHMETIC = frozenset({"+", "-", "*", "//", "%"})
_INTEGERS_ONLY = frozenset({"&", "|", "^", "<<", ">>"})
# Functions of NumPy that make a float or an array of so many elements, and fail for what is no number.
_OF_NUMBERS = frozenset(
    f"numpy.{name}"
    for name in "sqrt cbrt exp log log2 log10 log1p sin cos floor ceil zeros ones full empty linspace eye identity int32"
    " int64 float32 float64".split()
)
_PRODUCTS = frozenset({"math.prod", "numpy.prod"})
_REFUSED_SINCE = release("0.8.3")  # as an index
_STEPS = frozenset({("jax.lax.scan", "length"), ("jax.numpy.linspace", "num")})


@hazard_class()
class SymbolicDimensionAsInt(Hazard):
    """A symbolic dimension where Python needs a number.

    Site: what needs a symbolic dimension as a number; operand; detail says how.
    """

    how: str


@hazard_class()
class SymbolicDimensionCompared(Hazard):
    """A symbolic dimension is compared for equality, which is quietly false.

    Site: what takes a dimension for different; api: operator.
    """

    sizes: tuple[Any, Any]


class Symbolic(Component):
    """Component of the interpreter."""

    # --- where they come from -----------------------------------------------------------------

    def specified(self, name: str, call: Call) -> v.Value | None:
        """What the functions of `jax.export` give that make symbolic shapes; None for any other."""
        if name == "jax.export.symbolic_shape":
            return self.made(call)
        if name == "jax.export.symbolic_args_specs":
            return self.specs(call)
        return v.OpaqueInstance(name, tuple(call.all())) if name == "jax.export.SymbolicScope" else None

    def made(self, call: Call) -> v.Value:
        text = call.get(0, "shape_spec")
        constraints = self.constraints(call)
        if constraints is None or type(text) is not v.Const or not isinstance(text.value, str):
            return v.Unknown(v.fresh())
        sizes = parsed(text.value, bool(constraints))
        return v.Unknown(v.fresh()) if sizes is None else v.Tuple(tuple(value_of(size) for size in sizes))

    def constraints(self, call: Call) -> list[str] | None:
        """Inequalities that the dimensions keep to; None where they are not known, or make a number of one."""
        scope = call.keywords.get("scope", v.NONE)
        free = scope is v.NONE or (
            type(scope) is v.OpaqueInstance and scope.name == "jax.export.SymbolicScope" and not scope.args
        )
        given = self.i.items_of(call.keywords["constraints"]) if "constraints" in call.keywords else []
        if not free or given is None or call.double_star or call.star or len(call.args) > 1 or "like" in call.keywords:
            return None
        constants = [value.value for value in given if type(value) is v.Const]
        texts = [text for text in constants if isinstance(text, str) and "==" not in text]
        return texts if len(texts) == len(given) else None

    def specs(self, call: Call) -> v.Value:
        """Specifications for a tuple of arrays."""
        args = self.i.items_of(call.get(0, "args") or v.UNKNOWN)
        specs = call.get(1, "shapes_specs")
        texts = [specs] * len(args or ()) if type(specs) is v.Const else self.i.items_of(specs or v.UNKNOWN)
        if args is None or texts is None or len(texts) != len(args) or set(call.keywords) - {"args", "shapes_specs"}:
            return v.Unknown(v.fresh())
        return v.Tuple(tuple(self.spec(arg, text) for arg, text in zip(args, texts)))

    def spec(self, arg: v.Value, text: v.Value) -> v.Value:
        shape = self.i.aval_of(arg).shape
        written = text.value.split(",") if type(text) is v.Const and isinstance(text.value, str) else None
        if shape is None or written is None:
            return v.Unknown(v.fresh())
        if written and written[-1].strip() == "...":
            written[-1:] = ["_"] * (len(shape) - len(written) + 1)
        if len(written) != len(shape):
            return v.Unknown(v.fresh())
        sizes = []
        for part, size in zip(written, shape):
            if part.strip() == "_":  # the size that the array has
                sizes.append(self.i.dimension(size))
            else:
                found = parsed(part)
                sizes.append(value_of(found[0] if found else None))
        return v.OpaqueInstance(v.SHAPE_STRUCT, (v.Tuple(tuple(sizes)), v.UNKNOWN))

    def number_of_elements(self, shape: v.Shape) -> v.Value:
        sizes = [size for size in shape if isinstance(size, (int, Dimension))]
        return value_of(product(sizes)) if len(sizes) == len(shape) else v.Unknown(v.fresh())

    # --- operators ----------------------------------------------------------------------------

    def operate(self, node: ir.Node, op: str, left: v.Value, right: v.Value) -> v.Value:
        """An operator with a dimension on one side."""
        other = right if is_dimension(left) else left
        made: v.Value
        if type(other) in (v.Array, v.Undecided):
            made = self.i.array_result([left, right], self.i.aval_of(other))
            return made
        if op == "*" and self.i.is_list(other):
            return self.needed(node, node, left if is_dimension(left) else right, "repeat")
        if op in _INTEGERS_ONLY and (is_dimension(other) or v.python_type(other) in ("int", "bool")):
            return self.needed(node, node, left if is_dimension(left) else right, f"operator {op}")
        a, b = size_of(left), size_of(right)
        if op in _ARITHMETIC:
            if a is not None and b is not None:
                return value_of(arithmetic(op, a, b))
            if is_dimension(other) or v.python_type(other) == "int":
                return v.SYMBOLIC_DIMENSION if op in ("+", "*") else v.Unknown(v.fresh())
        if v.python_type(other) == "float" or op == "/":  # a number that is known when the program runs
            if op == "**" and other is right and not (type(right) is v.Const and v.is_whole(right.value)):
                return self.needed(node, node, left, "power") if type(right) is v.Const else v.Unknown(v.fresh())
            made = self.i.array_result([], v.Aval("float32", (), True))
            return made
        return v.Unknown(v.fresh())

    def unary(self, op: str, value: v.Value) -> v.Value:
        size = size_of(value)
        return value_of(multiplied(-1, size)) if op == "-" and size is not None else v.Unknown(v.fresh())

    def compare(self, node: ir.Node, op: str, left: v.Value, right: v.Value) -> v.Value:
        a, b = size_of(left), size_of(right)
        if op not in ("==", "!=") and "float" in (v.python_type(left), v.python_type(right)):
            return self.needed(node, node, left if is_dimension(left) else right, "float")
        if a is None or b is None:
            return v.STATIC_BOOL if op in ("==", "!=") else v.Unknown(v.fresh())
        decided = compared(op, a, b)
        if decided is not None:
            return v.Const(decided)
        if op in ("==", "!=") or not is_open(a, b):
            return self.undecided(node, a, b, op)
        return self.needed(node, node, left if is_dimension(left) else right, "comparison")

    def compare_tuples(self, node: ir.Node, op: str, left: v.Tuple, right: v.Tuple) -> v.Value | None:
        """Two tuples, such as shapes; None where it is not known whether they are equal."""
        if op not in ("==", "!=") or left.items is None or right.items is None:
            return None
        if len(left.items) != len(right.items):
            return v.Const(op == "!=")
        if not any(map(is_dimension, left.items + right.items)):
            known = [a.value == b.value for a, b in zip(left.items, right.items) if type(a) is type(b) is v.Const]
            if all(known) and len(known) < len(left.items):
                return None
            return v.Const(all(known) == (op == "=="))
        pairs = [(size_of(a), size_of(b)) for a, b in zip(left.items, right.items)]
        if any(a is None or b is None for a, b in pairs):
            return v.STATIC_BOOL
        answers = [compared("==", a, b) for a, b in pairs]  # type: ignore[arg-type]
        if False in answers or None not in answers:
            return v.Const((op == "==") is (False not in answers))
        a, b = pairs[answers.index(None)]
        assert a is not None and b is not None
        return self.undecided(node, a, b, op)

    def contained(self, node: ir.Node, op: str, left: v.Value, items: Sequence[v.Value]) -> v.Value:
        """`dimension in (1, 2)`"""
        sizes = [size_of(item) for item in items]
        a = size_of(left)
        if a is None or None in sizes:
            return v.STATIC_BOOL
        answers = [compared("==", a, size) for size in sizes if size is not None]
        if True in answers or None not in answers:
            return v.Const((op == "in") is (True in answers))
        other = sizes[answers.index(None)]
        assert other is not None
        return self.undecided(node, a, other, op)

    def undecided(self, node: ir.Node, a: Size, b: Size, op: str) -> v.Value:
        """What a comparison of two dimensions gives which nothing decides: JAX takes them for different."""
        if not is_open(a, b):
            return v.STATIC_BOOL
        self.taken_for_different(node, a, b, op)
        return v.Const(op in ("!=", "not in"))

    def truth(self, node: ir.Node, value: v.Value) -> bool | None:
        """The truth of a dimension, which JAX takes to be other than 0."""
        size = size_of(value)
        if size is None:
            return None
        decided = compared("!=", size, 0)
        if decided is None and is_open(size, 0):
            self.taken_for_different(node, size, 0, "bool")
            return True
        return decided

    def taken_for_different(self, node: ir.Node, a: Size, b: Size, op: str) -> None:
        if self.i.context.stage == STAGED_CODE:
            sizes = (a, b) if isinstance(a, Dimension) else (b, a)
            self.i.report(SymbolicDimensionCompared(sizes), node, node, v.UNKNOWN, api=op, origin=self.i.context.origin)

    def needed(self, node: ir.Node, operand: ir.Node, value: v.Value, how: str) -> v.Value:
        """A number is needed, and there is a dimension."""
        self.i.report(SymbolicDimensionAsInt(how), node, operand, value, origin=self.i.context.origin)
        return v.UNKNOWN

    # --- functions ----------------------------------------------------------------------------

    def host(self, name: str, call: Call) -> v.Value | None:
        """A function of NumPy or `math` with a dimension among its arguments; None where there is none."""
        values = [*call.args, *call.keywords.values()]
        if not any(map(is_dimension, self.i.leaves(values))):
            return None
        if name in _PRODUCTS and len(values) == 1:
            sizes = [size_of(item) for item in self.i.items_of(values[0]) or [v.UNKNOWN]]
            return value_of(None if None in sizes else product(size for size in sizes if size is not None))
        if name.startswith("math.") and name != "math.prod" or name in _OF_NUMBERS:
            for value, node in zip(call.args, call.arg_nodes):
                given = self.i.items_of(value) if name.startswith("numpy.") and type(value) is v.Tuple else [value]
                if any(map(is_dimension, given or ())):
                    return self.needed(call.node, node, value, name)
        return v.Unknown(v.fresh())

    def rounded(self, call: Call, value: v.Value) -> v.Value:
        """`abs` and `round`, which a dimension does not have, and others of their kind."""
        callee = self.i.last_callee.get(call.node.site)
        if type(callee) is v.Api and callee.name in ("builtins.abs", "builtins.round"):
            return self.needed(call.node, call.arg_nodes[0], value, callee.name)
        return v.Unknown(v.fresh())

    def indexed(self, node: ir.Subscript, index: v.Value) -> bool:
        """Whether a jax array is indexed with a dimension, which newer releases refuse; recorded if so."""
        for part_node, part in self.i.index_parts(node.index, index):
            if is_dimension(part) and release(self.i.target.newest) >= _REFUSED_SINCE:
                self.needed(node, part_node, part, "index")
                return True
        return False

    def steps(self, name: str, parameter: str, value: v.Value, node: ir.Node, call: Call) -> bool:
        """Whether a dimension is given for a number that must be known; recorded if so."""
        if (name, parameter) not in _STEPS or not is_dimension(value):
            return False
        self.needed(call.node, node, value, name)
        return True

    def extreme(self, name: str, call: Call, candidates: Sequence[tuple[v.Value, ir.Node]]) -> v.Value | None:
        """`max`, `min` or `sorted` of dimensions: the result, or None where there is none among them."""
        if not any(is_dimension(value) for value, _ in candidates) or name in ("builtins.any", "builtins.all"):
            return None
        best: Size | None = None
        for value, node in candidates:
            size = size_of(value)
            if size is None:
                return v.Unknown(v.fresh())
            if best is not None:
                larger = compared(">", size, best)
                if larger is None and is_open(size, best):
                    return self.needed(call.node, node, value, name)
                if larger is None:
                    return v.Unknown(v.fresh())
                size = size if larger is (name == "builtins.max") else best
            best = size
        return v.Unknown(v.fresh()) if name == "builtins.sorted" else value_of(best)


def is_dimension(value: v.Value) -> bool:
    return type(value) is v.Static and value.type == "dim"


def size_of(value: v.Value) -> Size | None:
    """An int or a dimension of which the sum is known."""
    if type(value) is v.Const and type(value.value) is int:
        return value.value
    return value.size if type(value) is v.Static and value.type == "dim" else None


def value_of(size: Size | None) -> v.Value:
    if isinstance(size, int):
        return v.Const(size)
    return v.SYMBOLIC_DIMENSION if size is None else v.Static("dim", None, size)


def arithmetic(op: str, a: Size, b: Size) -> Size | None:
    if op in ("+", "-"):
        return added(a, b, 1 if op == "+" else -1)
    if op == "*":
        return multiplied(a, b)
    return divided(a, b) if op == "//" else remainder(a, b)
