"""Choices by `jnp.where` that keep a value from being used, and not its derivative.

`jnp.where(x > 0, jnp.log(x), 0.0)` is 0 at 0, and so is its derivative times the infinite one of the
logarithm: not a number. What is looked for is an operation that has no finite derivative where the
condition does not hold, on the very value that the condition is about, or on its distance to the limit.
`jnp.nan_to_num` chooses as well.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import in_order
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.interpreter.narrowing import guard_key
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_AT_ZERO = (
    "jax.numpy.log", "jax.numpy.log2", "jax.numpy.log10", "jax.numpy.cbrt", "jax.numpy.reciprocal",
    "jax.lax.log", "jax.lax.cbrt",
)  # fmt: skip
_SINGULAR = {
    **dict.fromkeys(_AT_ZERO, "zero"),
    **dict.fromkeys(("jax.numpy.sqrt", "jax.lax.sqrt", "jax.lax.rsqrt"), "not positive"),
    **dict.fromkeys(("jax.numpy.arccos", "jax.numpy.arcsin", "jax.numpy.arctanh", "jax.numpy.acos", "jax.numpy.asin"), "one"),
    "jax.numpy.log1p": "minus one",
    "jax.numpy.exp": "large", "jax.numpy.expm1": "large", "jax.lax.exp": "large",
}  # fmt: skip
CHOICES = frozenset({"jax.numpy.where", "jax.lax.select"})
MENDING = "jax.numpy.nan_to_num"
_LOGARITHMS = frozenset({"jax.numpy.log", "jax.numpy.log2", "jax.numpy.log10", "jax.lax.log"})
_QUOTIENTS = ("jax.numpy.divide", "jax.numpy.true_divide")
_ABSOLUTE = ("builtins.abs", "jax.numpy.abs", "jax.numpy.absolute", "jax.numpy.fabs")
_NEGATED = {">": "<=", "<=": ">", "<": ">=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "==": "==", "!=": "!="}


@hazard_class()
class WhereNanGradient(Hazard):
    """A guard does not keep NaN out of a gradient. Site: the operation; operand: the call of the gradient."""

    where: int  # the call of `jnp.where`, `lax.select` or `jnp.nan_to_num`
    condition: int  # what is zero, for `jnp.nan_to_num`
    branch: bool  # whether the operation stands where the condition holds
    operands: tuple[tuple[int, str], ...]  # what the operations are singular in, and a number that is safe instead
    function: v.Value  # what is differentiated
    transform: str


class Fact(NamedTuple):
    """What a condition says: ``operand op limit``, of its absolute value if ``absolute``."""

    operand: ir.Node
    op: str
    limit: float | None  # None: a number that is not known; NaN: it may be an array
    absolute: bool
    against: ir.Node  # the node of the limit


class Choices(Component):
    """Looks at one call of `jnp.where` in a run that asks for tangents."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.names: dict[int, dict[str, list[ir.Name]]] = {}  # site of a scope -> the names at and below it

    def guarded(self, call: Call) -> tuple[int, int, bool, tuple[tuple[int, str], ...]] | None:
        """The first of both values that needs a guard of its own, as the first items of WhereNanGradient; with its operations."""
        if call.star or call.keywords or len(call.arg_nodes) != 3 or type(call.node) is not ir.Call:
            return None
        for branch, node in ((True, call.arg_nodes[1]), (False, call.arg_nodes[2])):
            facts = list(self.facts(self.resolved(call.arg_nodes[0]), branch))
            found, first = [], -1
            for operation, operand, hazard in self.operations(self.resolved(node)):
                if self.is_differentiated(operation, operand) and any(
                    self.keeps_away(fact, operand, hazard) for fact in facts
                ):
                    found.append((operand.site, "0" if hazard in ("one", "minus one", "large") else "1"))
                    first = first if first >= 0 else operation.site
            if found:
                return first, call.arg_nodes[0].site, branch, tuple(found)
        return None

    def mended(self, call: Call) -> tuple[int, int, bool, tuple[tuple[int, str], ...]] | None:
        """A logarithm of a differentiated argument, whose value at zero `jnp.nan_to_num` replaces."""
        for operation, operand, _ in self.operations(self.resolved(call.arg_nodes[0])) if call.arg_nodes else ():
            if (
                type(operand) is not ir.Name
                or self.named(operation) not in _LOGARITHMS
                or not self.is_bound_once(operand)
            ):
                continue
            ident = self.i.eval(operand).ident
            if self.has_tangent(operand) and ident is not None and ident[:1] in self.i.context.tangents.arguments:
                return operation.site, operand.site, True, ((operand.site, "1"),)
        return None

    # --- conditions ---------------------------------------------------------------------------

    def facts(self, node: ir.Node, holds: bool) -> Iterator[Fact]:
        """What is known where a condition holds, or does not."""
        if type(node) is ir.Unary and node.op == "~":
            yield from self.facts(self.resolved(node.operand), not holds)
        elif type(node) is ir.Binary and node.op == ("&" if holds else "|"):
            yield from self.facts(self.resolved(node.left), holds)
            yield from self.facts(self.resolved(node.right), holds)
        elif type(node) is ir.Compare and len(node.ops) == 1 and node.ops[0] in _NEGATED:
            op = node.ops[0] if holds else _NEGATED[node.ops[0]]
            for operand, limit, way in ((node.left, node.rights[0], op), (node.rights[0], node.left, _MIRRORED[op])):
                number = self.number(limit)
                inner = self.absolute(operand)
                number = math.nan if number is False else number
                yield Fact(operand if inner is None else inner, way, number, inner is not None, limit)

    def number(self, node: ir.Node) -> float | bool | None:
        """The number an expression stands for; None for one that is not known, False for anything else."""
        value = self.i.eval(node)
        if type(value) is v.Const and type(value.value) in (int, float):
            found: float = value.value
            return found
        return None if type(value) is v.Static and value.type == "float" else False

    def absolute(self, node: ir.Node) -> ir.Node | None:
        given = self.given(node, _ABSOLUTE)
        return given[0] if len(given) == 1 else None

    def named(self, node: ir.Node) -> str:
        """Canonical name of the function of JAX or NumPy that an expression calls."""
        if type(node) is not ir.Call or type(node.func) not in (ir.Name, ir.Attribute):
            return ""
        callee = self.i.eval(node.func)
        return callee.name if type(callee) is v.Api else ""

    def given(self, node: ir.Node, functions: Container[str]) -> list[ir.Expression]:
        """The arguments, in order, that an expression passes to one of some functions."""
        name = self.named(node)
        return list(in_order(name, node).args) if type(node) is ir.Call and name in functions else []

    def keeps_away(self, fact: Fact, operand: ir.Node, hazard: str) -> bool:
        """Whether a fact is there to keep an operand from where the derivative is not finite."""
        if hazard == "zero" and type(operand) is ir.Binary and operand.op in ("/", "*"):
            parts = [operand.left] if operand.op == "/" else [operand.left, operand.right]
            if any(self.keeps_away(fact, part, hazard) for part in parts):
                return True  # which is zero where one of its factors is
        key = guard_key(operand)
        op, limit = fact.op, fact.limit
        if key is None or not self.is_bound_once(operand):
            return False
        if key == f"({guard_key(fact.operand)} - {guard_key(fact.against)})" and not fact.absolute:
            limit = 0
        elif key != guard_key(fact.operand):
            return False
        if hazard == "not positive":
            return self.keeps_away(fact, operand, "zero") or self.keeps_away(fact, operand, "negative")
        if hazard == "zero":
            if limit is None:
                return op in (">", ">=")
            return (op == "!=" and limit == 0) or (op == ">" and limit >= 0) or (op == ">=" and limit > 0)
        if hazard == "negative":
            return op in (">", ">=") and (limit is None or limit >= 0) and not fact.absolute
        if hazard == "minus one":
            return op in (">", ">=") and limit is not None and limit >= -1 and not fact.absolute
        if hazard == "one":
            return op in ("<", "<=") and limit is not None and 0 < limit <= 1
        return op in ("<", "<=") and limit is not None and 0 <= limit <= 700 and not fact.absolute

    # --- operations ---------------------------------------------------------------------------

    def operations(self, node: ir.Node) -> Iterator[tuple[ir.Node, ir.Node, str]]:
        """Operations in an expression that have no finite derivative somewhere: their operand, and where."""
        stack, seen = [node], set[int]()
        while stack:
            part = self.resolved(stack.pop())
            if type(part) in (ir.Lambda, ir.Comprehension) or part.site in seen:
                continue
            seen.add(part.site)
            if type(part) is ir.Call:
                if self.named(part) in CHOICES:
                    continue  # which is looked at for itself
                for operand in self.given(part, _SINGULAR)[:1]:
                    yield part, operand, _SINGULAR[self.named(part)]
                for operand in self.given(part, _QUOTIENTS)[1:]:
                    yield part, operand, "zero"
            elif type(part) is ir.Binary and part.op == "/":
                yield part, part.right, "zero"
            elif type(part) is ir.Binary and part.op == "**":
                hazard = _of_power(self.number(part.right))
                if hazard is not None:
                    yield part, part.left, hazard
            stack.extend(reversed(part.children()))

    def is_differentiated(self, operation: ir.Node, operand: ir.Node) -> bool:
        """Whether a derivative goes through an operation: also by the dividend of what is divided by ``operand``."""
        if self.has_tangent(operand):
            return True
        if type(operation) is ir.Binary:
            return operation.op == "/" and self.has_tangent(operation.left)
        return any(self.has_tangent(dividend) for dividend in self.given(operation, _QUOTIENTS)[:1])

    def has_tangent(self, node: ir.Node) -> bool:
        return bool(self.i.transforms.tangents.has_tangent(self.i.eval(node)))

    # --- names --------------------------------------------------------------------------------

    def resolved(self, node: ir.Node) -> ir.Node:
        """The expression a local name was bound to, where it is bound once; else the node itself."""
        if type(node) is not ir.Name:
            return node
        bindings = self.bindings(node)
        parent = self.i.unit.parent(bindings[0].site) if len(bindings) == 1 else None
        return parent.value if isinstance(parent, ir.Assign) and len(parent.targets) == 1 else node

    def is_bound_once(self, node: ir.Node) -> bool:
        """Whether the names of an expression stand for one value throughout their function."""
        names = [part for part in ir.walk([node]) if isinstance(part, ir.Name)]
        scope = self.i.unit.scope(node.site)
        given = {p.name for p in scope.parameters} if type(scope) is ir.Function else set()
        return all(len(self.bindings(name)) <= (name.id not in given) for name in names)

    def bindings(self, node: ir.Name) -> list[ir.Name]:
        """Names that are bound, in the function that reads one."""
        unit = self.i.unit
        scope = unit.scope(node.site)
        if scope.site not in self.names:
            self.names[scope.site] = ir.names_below([scope])
        found = self.names[scope.site].get(node.id, ())
        return [part for part in found if unit.scope(part.site) is scope and self.is_target(part)]

    def is_target(self, node: ir.Node) -> bool:
        below: ir.Node = node
        for parent in self.i.unit.ancestors(node.site):
            if isinstance(parent, ir.Assign):
                return any(target is below for target in parent.targets)
            if isinstance(parent, (ir.Augment, ir.Annotate, ir.For, ir.Walrus, ir.WithItem)):
                return parent.target is below
            if not isinstance(parent, (ir.Sequence, ir.Starred)):
                return False
            below = parent
        return False


def _of_power(power: object) -> str | None:
    """Where the derivative of a power, `power * x**(power - 1)`, is not finite; None for nowhere, or not known."""
    if not isinstance(power, (int, float)) or power is False or power == 0:
        return None
    if isinstance(power, int) or power.is_integer():
        return "zero" if power < 0 else None
    return "not positive" if power < 1 else "negative"
