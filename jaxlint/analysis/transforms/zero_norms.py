"""Norms and roots of what is exactly zero, whose derivative is not a number.

Two things are zero for certain: an argument that is made of zeros where the gradient is called, and
the diagonal of the differences of all pairs, `x[:, None, :] - x[None, :, :]`, or of the elements of one array under two `vmap`.
Zero is expected where a small number is added to what is divided by, `x / (norm(x) + 1e-8)`, or is the least that it may be,
and where what a root is taken of is cut off at zero, or an angle's cosine at one. The cosine of two vectors is one where they are
parallel.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.interpreter.narrowing import guard_key
from jaxlint.analysis.transforms.singular import Choices
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import reads_of

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_NORM = "jax.numpy.linalg.norm"
_ROOT = "jax.numpy.sqrt"
_ANGLES = frozenset(f"jax.numpy.{name}" for name in "arccos arcsin acos asin".split())
_SPREAD = "jax.numpy.std"
_LEAST = ("jax.numpy.maximum", "jax.numpy.clip")
_CUT = (*_LEAST, "jax.numpy.minimum")
_SMALL = 1e-2  # more than what is added to keep a divisor from being zero
_ZEROS = frozenset({"jax.numpy.zeros", "jax.numpy.zeros_like", "numpy.zeros", "numpy.zeros_like"})
_SUMS = frozenset({"jax.numpy.sum"})
_PRODUCTS = frozenset({"jax.numpy.dot", "jax.numpy.vdot", "jax.numpy.inner", "jax.numpy.matmul"})
_SQUARES = frozenset({"jax.numpy.square", "jax.lax.square"})


@hazard_class()
class SingularGradient(Hazard):
    """A gradient is NaN at a value. Site: the norm or root; operand: the call of the gradient."""

    reason: str  # "pairs", "zeros", "divisor", "cut" or "cosine"
    what: int  # site of what is zero
    function: v.Value  # what is differentiated
    transform: str


class ZeroNorms(Choices):
    """Looks at one operation in a run that asks for tangents."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.made: dict[int, v.Value] = interpreter.per_module({})  # arrays of zeros, by `id`
        interpreter.events.jax_value.append(self.noted)

    def noted(self, value: v.Value, name: str, call: Call) -> v.Value:
        """Note an array of zeros."""
        if name in _ZEROS and type(value) is v.Array:
            self.made[id(value)] = value
        return value

    def singular(self, name: str, call: Call) -> tuple[str, int] | None:
        """Why the operation has no derivative where it is computed, and the site of what is zero."""
        if name == ".std" and type(call.node) is ir.Call and type(call.node.func) is ir.Attribute:
            guard = self.guard(call.node)
            return None if guard is None else ("divisor", guard)
        if name in _ANGLES and call.arg_nodes and not call.star:
            node = self.resolved(call.arg_nodes[0])
            if self.is_cut(node, 1):
                return "cut", node.site
            return ("cosine", node.site) if self.is_cosine(node) else None
        if name not in (_NORM, _ROOT, _SPREAD) or not call.arg_nodes or call.star:
            return None
        node = self.resolved(call.arg_nodes[0])
        summed = name == _NORM and call.get(2, "axis") is not None
        if name == _NORM and not self.is_euclidean(call):
            return None
        if name == _ROOT and self.is_cut(node, 0):
            return "cut", node.site
        if name == _ROOT:
            inner = self.summed(node)
            summed = inner is not None
            base = self.squared(node if inner is None else self.resolved(inner))
            if base is None:
                return None
            node = self.resolved(base)
        if name != _SPREAD:
            if (summed or name == _ROOT) and self.is_of_pairs(node, summed) or self.is_of_mapped_pairs(node):
                return "pairs", node.site
        if self.is_zero(node):
            return "zeros", node.site
        guard = self.guard(call.node)
        return None if guard is None else ("divisor", guard)

    def guard(self, root: ir.Node) -> int | None:
        """The site of what keeps a divisor from being zero that a root gives, and comes too late for the root itself."""
        unit = self.i.unit
        above = unit.parent(root.site)
        uses: list[ir.Node] = [root]
        if isinstance(above, ir.Assign) and above.value is root:
            uses = [*(reads_of(unit, above) or ())]
        for use in uses:
            raised = unit.parent(use.site)
            divided = unit.parent(raised.site) if raised is not None else None
            if raised is None or type(divided) is not ir.Binary or divided.op != "/" or divided.right is not raised:
                continue
            others: list[ir.Node] = []
            if type(raised) is ir.Binary and raised.op == "+":
                others = [raised.right if raised.left is use else raised.left]
            elif type(raised) is ir.Call:
                others = [each for each in self.given(raised, _LEAST)[:2] if each is not use]
            numbers = [self.number(each) for each in others]
            if any(type(number) is float and 0 < number <= _SMALL for number in numbers):
                return raised.site
        return None

    def is_cut(self, node: ir.Node, limit: int) -> bool:
        """Whether an expression is cut off at a number, where the derivative of a root or an angle is infinite.

        `jax.nn.relu` and `jnp.where` choose a derivative of zero; those of `maximum`, `minimum` and `clip` multiply by zero.
        """
        numbers = [self.number(each) for each in self.given(node, _CUT)]
        if type(node) is ir.Call and type(node.func) is ir.Attribute and node.func.attr == "clip" and not numbers:
            numbers = [self.number(each) for each in ir.passed_values(node)]
        known = (each for each in numbers if isinstance(each, (int, float)) and not isinstance(each, bool))
        return any(abs(self.rounded(each)) == limit for each in known)

    def rounded(self, number: float) -> float:
        """A number as an array of 32 bits holds it, of which 0.99999999 is 1."""
        if not self.i.has_32_bits or abs(number) > 1:
            return number
        single: float = struct.unpack("f", struct.pack("f", number))[0]
        return single

    def is_cosine(self, node: ir.Node) -> bool:
        """Whether an expression is divided by a product of norms, or is one of vectors that are each divided by theirs."""
        if type(node) is ir.Binary and node.op == "/":
            return self.norms(node.right) > 1 or self.norms(node.right) == 1 == self.norms(self.resolved(node.left))
        vectors: list[ir.Node] = []
        if type(node) is ir.Binary and node.op == "@":
            vectors = [node.left, node.right]
        elif type(node) is ir.Call:
            total = self.summed(node)
            product = self.resolved(total) if total is not None else None
            if type(product) is ir.Binary and product.op == "*":
                vectors = [product.left, product.right]
            else:
                vectors = list(self.given(node, _PRODUCTS)[:2])
        divided = [self.resolved(each) for each in vectors]
        return len(divided) == 2 and all(
            type(each) is ir.Binary and each.op == "/" and self.norms(each.right) == 1 for each in divided
        )

    def norms(self, node: ir.Node) -> int:
        """The number of norms of vectors among the factors of a product."""
        node = self.resolved(node)
        if type(node) is ir.Binary and node.op == "*":
            return self.norms(node.left) + self.norms(node.right)
        if type(node) is ir.Call and self.named(node) == _ROOT and node.args:
            # A root of a sum of squares is a norm as well.
            inner = self.summed(self.resolved(node.args[0]))
            return int(inner is not None and self.squared(self.resolved(inner)) is not None)
        return int(self.named(node) == _NORM)

    def is_euclidean(self, call: Call) -> bool:
        order = call.get(1, "ord")
        return order is None or (type(order) is v.Const and order.value in (None, 2))

    def summed(self, node: ir.Node) -> ir.Node | None:
        """What a sum adds up along one axis, or all of them."""
        for array in self.given(node, _SUMS)[:1]:
            return array
        if type(node) is ir.Call and type(node.func) is ir.Attribute and node.func.attr == "sum":
            return node.func.value
        return None

    def squared(self, node: ir.Node) -> ir.Node | None:
        """What an expression is the square of."""
        if type(node) is ir.Binary and node.op == "**" and self.number(node.right) == 2:
            return node.left
        if type(node) is ir.Binary and node.op == "*":
            key = guard_key(node.left)
            return node.left if key is not None and key == guard_key(node.right) else None
        return next(iter(self.given(node, _SQUARES)), None)

    # --- zeros --------------------------------------------------------------------------------

    def is_zero(self, node: ir.Node) -> bool:
        """Whether an expression is an argument that is zero, or makes zeros for the call at hand."""
        if isinstance(node, (ir.Name, ir.Attribute)) or (
            type(node) is ir.Subscript and type(node.index) is ir.Constant
        ):
            return (
                ir.dotted(ir.root_of(node)) is not None
                and self.i.eval(node).ident in self.i.context.tangents.sown_zeros
            )
        return self.makes_zeros(node)

    def makes_zeros(self, node: ir.Node) -> bool:
        node = self.resolved(node)
        number = type(node) is ir.Constant and type(node.value) in (int, float) and node.value == 0
        return number or self.named(node) in _ZEROS

    def is_of_pairs(self, node: ir.Node, summed: bool) -> bool:
        """Whether it is the differences of all pairs; of vectors, which are what is summed over."""
        if type(node) is not ir.Binary or node.op != "-":
            return False
        left, right = self.spread(node.left), self.spread(node.right)
        if left is None or right is None or left[0] != right[0] or left[1] == right[1] or not self.is_bound_once(node):
            return False
        return not summed or (left[2] and right[2])

    def is_of_mapped_pairs(self, node: ir.Node) -> bool:
        """Whether it is the difference of two elements of one array, each of which `vmap` takes in turn."""
        if type(node) is not ir.Binary or node.op != "-" or {type(node.left), type(node.right)} != {ir.Name}:
            return False
        if not self.is_bound_once(node):
            return False
        left, right = (_mapped(self.i.eval(operand).ident) for operand in (node.left, node.right))
        return left is not None and left == right

    def spread(self, node: ir.Node) -> tuple[str, int, bool] | None:
        """Of `x[:, None, :]`: `x`, where the new axis is, and whether an axis of `x` follows at the end."""
        if type(node) is not ir.Subscript:
            return None
        key = guard_key(node.value)
        parts = node.index.elements if type(node.index) is ir.Sequence else (node.index,)
        new = [number for number, part in enumerate(parts) if self.is_new_axis(part)]
        plain = all(number in new or self.is_whole(part) for number, part in enumerate(parts))
        if key is None or len(new) != 1 or not plain:
            return None
        rank = self.i.aval_of(self.i.eval(node.value)).ndim
        follows = new[0] < len(parts) - 1 and len(parts) > 2
        return key, new[0], follows or (rank is not None and rank > 1)

    def is_new_axis(self, node: ir.Node) -> bool:
        value = self.i.eval(node) if type(node) in (ir.Constant, ir.Attribute, ir.Name) else None
        return v.is_none(value)

    def is_whole(self, node: ir.Node) -> bool:
        if type(node) is ir.Constant:
            return node.value is ...
        return type(node) is ir.Slice and node.lower is None and node.upper is None and node.step is None


def _mapped(ident: v.Ident | None) -> tuple[v.Ident, int] | None:
    """The array of which a value is an element under `vmap`, and the axis."""
    last = ident[-1] if ident is not None else None
    if ident is None or type(last) is not tuple or last[0] != "*" or type(last[1]) is not tuple:
        return None
    return ident[:-1], last[1][0]
