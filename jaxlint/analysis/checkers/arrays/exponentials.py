"""Logarithms and quotients of exponentials and products, which overflow where JAX has functions that do not."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.narrowing import guard_key
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, resolved

if TYPE_CHECKING:
    from jaxlint import knowledge
    from jaxlint.analysis.analyser import Interpreter

_LOGARITHMS = frozenset({"jax.numpy.log", "jax.lax.log"})
_OF_ONE_MORE = "jax.numpy.log1p"
_SOFTMAX = frozenset({"jax.nn.softmax", "jax.scipy.special.softmax"})
_SIGMOID = frozenset({"jax.nn.sigmoid", "jax.lax.logistic", "jax.scipy.special.expit"})
# What makes finite numbers of infinite ones, and that for which minus infinity says that something is never drawn.
_TAKING = frozenset({"jax.random.categorical", "jax.numpy.clip", "jax.numpy.maximum", "jax.numpy.nan_to_num"})
_LARGEST = frozenset({"max", "amax", "maximum", "clip", "minimum", "stop_gradient"})
_PRODUCTS = {"jax.numpy.prod": "prod", "jax.numpy.cumprod": "cumprod"}
_FEW = 16  # factors whose product is left alone
# What bounds exponents from above, and what gives numbers that the author chose.
_BOUNDED = _LARGEST | frozenset(
    "tanh sigmoid logistic expit sin cos arctan erf softsign hard_tanh soft_sign log log1p log2 log10 log_softmax logsumexp"
    " log_sigmoid norm normalize min".split()
)
_MADE = frozenset({"arange", "linspace", "ones", "zeros", "eye"})
_CONVERTED = frozenset({"array", "asarray"})
_NOT_NEGATIVE = frozenset({"square", "abs", "absolute", "exp", "softplus", "relu"})
_MOST_NAMES = 4  # that lead from an exponent to what it is computed of


@hazard_class(consequence=Consequence.SILENT)
class LogOfExponentials(Hazard):
    """The logarithm of a sum of exponentials, of a softmax or a sigmoid. Site: the logarithm; operand: what the exponentials are of."""

    inner: int  # site of the sum, the softmax or the sigmoid
    how: str  # "sum", "softmax", "sigmoid", "rest" (one without a sigmoid), "prod" or "cumprod"


@hazard_class(consequence=Consequence.SILENT)
class UnshiftedSoftmax(Hazard):
    """Exponentials are divided by their sum, or by one more than themselves. Site: the quotient; operand: the exponents."""

    total: int  # site of the sum
    exponential: int  # and of the call of the exponential in the dividend
    how: str  # "softmax" or "sigmoid"


class Exponentials(Checker):
    """What logarithms are given, and what exponentials are divided by."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # By the site of a function, and by that of a call of it.
        self.calls: dict[int, dict[int, ir.Call]] = self.i.per_module({})
        self.small: set[int] = set()  # quotients whose exponents are bounded

    def subscribe(self, events: Events) -> None:
        events.arguments_checked.append(self.given)
        events.refuses_array_operands.append(self.divided)
        events.function_entered.append(self.entered)

    def entered(
        self, function: v.FunctionValue, _arguments: dict[str, v.Value], call: Call, _origin: Origin | None
    ) -> None:
        """Note a call, which passes something for the parameters of a function."""
        if type(call.node) is ir.Call and not call.star:
            self.calls.setdefault(function.function.site, {})[call.node.site] = call.node

    def given(self, name: str, _found: knowledge.Facts, call: Call) -> None:
        operand, value = call.node_of(0, "x"), call.get(0, "x")
        if name not in _LOGARITHMS and name != _OF_ONE_MORE:
            return
        if operand is None or value is None or type(call.node) is not ir.Call:
            return
        inner, how = resolved(self.i.unit, operand), "sum"
        rest = without(inner, name == _OF_ONE_MORE)
        if rest is not None:
            inner, how = resolved(self.i.unit, rest), "rest"
        elif name == _OF_ONE_MORE:
            return
        if type(inner) is not ir.Call or self.is_finite_or_chosen_by(call.node):
            return
        product = self.product(inner) if rest is None else None
        if product is not None:
            factors, how = product
            self.i.report(LogOfExponentials(inner.site, how), call.node, factors, value, api=name)
            return
        terms: ir.Node | None = None
        if self.named(inner) in _SIGMOID:
            terms, how = ir.given(inner, 0, "x"), "sigmoid" if rest is None else "rest"
        elif rest is not None:
            return
        elif self.named(inner) in _SOFTMAX:
            terms, how = ir.given(inner, 0, "x"), "softmax"
        else:
            terms = self.exponents(self.summed(inner))
        if terms is not None and not self.is_bounded(terms):
            self.i.report(LogOfExponentials(inner.site, how), call.node, terms, value, api=name)

    def exponents(self, node: ir.Node | None) -> ir.Node | None:
        """What an expression is the exponentials of."""
        made = resolved(self.i.unit, node) if node is not None else None
        return ir.given(made, 0, "x") if type(made) is ir.Call and self.named(made) == "jax.numpy.exp" else None

    def product(self, made: ir.Call) -> tuple[ir.Node, str] | None:
        """The factors of a product of numbers that are not whole, unless they are few, and the name of its function."""
        how = _PRODUCTS.get(self.named(made), "")
        factors = ir.given(made, 0, "a") if how else None
        method = type(self.i.last_callee.get(made.site)) is v.Member
        if method and type(made.func) is ir.Attribute and made.func.attr in _PRODUCTS.values():
            factors, how = made.func.value, made.func.attr
        if factors is None or self.are_few(made, factors):
            return None
        return factors, how

    def are_few(self, made: ir.Call, factors: ir.Node) -> bool:
        """Whether a product is one of whole numbers, or of a known small number of factors."""
        callee = self.i.last_callee.get(made.site)
        value = self.i.last_calls[made.site].get(0, "a") if made.site in self.i.last_calls else None
        if type(callee) is v.Member:
            value = callee.receiver
        if value is None or type(value) is v.Host:
            return True
        display = resolved(self.i.unit, factors)
        display = display.args[0] if type(display) is ir.Call and display.args else display
        if type(display) is ir.Sequence and len(display.elements) <= _FEW:
            return True
        aval = self.i.aval_of(value)
        if aval.dtype is not None and "float" not in aval.dtype or type(value) in (v.Tuple, v.Ref, v.Const, v.Static):
            return True
        sizes = aval.shape if aval.shape is not None else ()
        known = [size for size in sizes if isinstance(size, int)]
        return bool(sizes) and len(known) == len(sizes) and math.prod(known) <= _FEW or aval.shape == ()

    # --- quotients ----------------------------------------------------------------------------

    def divided(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> bool:
        """A quotient of arrays: never refused."""
        if op != "/" or type(node) is not ir.Binary or len(nodes) != 2 or type(operands[1]) is not v.Array:
            return False
        above, below = resolved(self.i.unit, nodes[0]), without_axes(resolved(self.i.unit, nodes[1]))
        exponents = self.exponents(above)
        key = guard_key(exponents) if exponents is not None else None
        if exponents is None or key is None:
            return False
        total = without_axes(resolved(self.i.unit, _without_small(below)))
        how, summed = "softmax", self.summed(total)
        if summed is None and type(total) is ir.Binary and total.op == "+":
            ones = [type(each) is ir.Constant and each.value == 1 for each in (total.left, total.right)]
            summed = (total.right if ones[0] else total.left) if any(ones) else None
            how = "sigmoid"
        again = self.exponents(summed)
        if again is None or guard_key(again) != key:
            return False
        if how == "sigmoid" and self.is_guarded(node, exponents):
            return False
        if self.is_small(exponents):
            # A caller that is not visible is presumed to pass what the visible ones do.
            self.small.add(node.site)
            self.i.found.pop((UnshiftedSoftmax, node.site), None)
        elif node.site not in self.small:
            hazard = UnshiftedSoftmax(total.site, above.site, how)
            self.i.report(hazard, node, exponents, operands[0], api="jax.numpy.exp")
        return False

    def is_guarded(self, node: ir.Node, exponents: ir.Node) -> bool:
        """Whether `where` selects the quotient by a condition on the exponents: it is finite for negative ones."""
        names = {each.id for each in ir.walk([exponents]) if type(each) is ir.Name}
        for around in itertools.takewhile(
            lambda each: isinstance(each, ir.Expression), self.i.unit.ancestors(node.site)
        ):
            if type(around) is ir.Call and ir.last_name(around.func) in ("where", "select") and around.args:
                condition = ir.walk([around.args[0]])
                return any(type(each) is ir.Name and each.id in names for each in condition)
        return False

    def summed(self, node: ir.Node) -> ir.Node | None:
        """What an expression is the sum of."""
        if type(node) is not ir.Call:
            return None
        if self.named(node) == "jax.numpy.sum":
            return ir.given(node, 0, "a")
        return node.func.value if type(node.func) is ir.Attribute and node.func.attr == "sum" else None

    def is_small(self, exponents: ir.Node) -> bool:
        """Whether something bounds the exponents from above, or the author chose them."""
        less = square = False
        scope = self.i.unit.scope(exponents.site)
        for each in self.parts(exponents):
            if type(each) is ir.Call:
                name = ir.last_part(each.func)
                made = name in _MADE or self.named(each).startswith("jax.random.")
                made |= name in _CONVERTED and bool(each.args) and type(each.args[0]) is ir.Sequence
                if name in _BOUNDED or made and self.i.unit.scope(each.site) is scope:
                    return True
                square |= name in _NOT_NEGATIVE
            less |= isinstance(each, (ir.Unary, ir.Binary)) and each.op == "-"
            less |= type(each) is ir.Constant and type(each.value) in (int, float) and each.value < 0
            square |= type(each) is ir.Binary and each.op == "**"
            square |= (
                type(each) is ir.Binary and each.op == "*" and guard_key(each.left) == guard_key(each.right) is not None
            )
        return less and square

    def parts(self, node: ir.Node) -> Iterator[ir.Node]:
        """What an expression is computed of, as far as names, arguments and functions of the project lead."""
        stack, seen = [(node, 0)], {node.site}
        while stack:
            top, depth = stack.pop()
            for each in ir.walk([top]):
                yield each
                for inner in self.behind(each) if depth < _MOST_NAMES else ():
                    if inner.site not in seen:
                        seen.add(inner.site)
                        stack.append((inner, depth + 1))

    def behind(self, node: ir.Node) -> Iterator[ir.Node]:
        """What a name stands for, what is passed for a parameter, and what a function of the project returns."""
        if type(node) is ir.Name:
            scope = self.i.unit.scope(node.site)
            for binding in bindings(scope, node.id):
                if isinstance(binding, (ir.Assign, ir.Annotate, ir.Augment)) and binding.value is not None:
                    yield binding.value
            if isinstance(scope, ir.Function):
                passed = (ir.passed(scope, call) for call in self.calls.get(scope.site, {}).values())
                yield from itertools.islice((each[node.id] for each in passed if node.id in each), _MOST_NAMES)
        elif type(node) is ir.Call:
            callee = self.i.last_callee.get(node.site)
            if type(callee) is v.BoundMethod:
                callee = callee.function
            if type(callee) is v.FunctionValue:
                yield from callee.function.body

    # --- logarithms ---------------------------------------------------------------------------

    def is_bounded(self, node: ir.Node) -> bool:
        """Whether the largest of the exponents may have been subtracted, or they are random draws times constants."""
        drawn = node
        while type(drawn) is ir.Binary and ir.Constant in (type(drawn.left), type(drawn.right)):
            drawn = drawn.right if type(drawn.left) is ir.Constant else drawn.left
        if type(drawn) is ir.Call and self.named(drawn).startswith("jax.random."):
            return True
        return any(type(each) is ir.Call and ir.last_name(each.func) in _LARGEST for each in self.parts(node))

    def is_finite_or_chosen_by(self, node: ir.Node) -> bool:
        """Whether the logarithm is clipped, or given to what chooses by it and differentiates nothing."""
        around = self.i.unit.parent(node.site)
        if type(around) is ir.Attribute:
            return around.attr == "clip"
        dotted = ir.dotted(around.func) if type(around) is ir.Call else None
        return dotted is not None and self.i.library_name(self.i.named(dotted)) in _TAKING

    def named(self, call: ir.Call) -> str:
        """The canonical name of the function of a library that is called."""
        callee = self.i.last_callee.get(call.site)
        return callee.name if type(callee) is v.Api else ""


def without(node: ir.Node, added: bool) -> ir.Node | None:
    """What an expression takes from one: `1 - p`; with one added by what it is given to, `-p`."""
    if added:
        return node.operand if type(node) is ir.Unary and node.op == "-" else None
    if type(node) is not ir.Binary or node.op != "-" or type(node.left) is not ir.Constant:
        return None
    return node.right if node.left.value == 1 else None


def without_axes(node: ir.Node) -> ir.Node:
    """What new axes are added to: `x` of `x[:, None]`."""
    if type(node) is not ir.Subscript:
        return node
    parts = node.index.elements if type(node.index) is ir.Sequence else (node.index,)
    return node.value if any(ir.is_none(each) or ir.last_part(each) == "newaxis" for each in parts) else node


def _without_small(node: ir.Node) -> ir.Node:
    """What a small number is added to, that keeps a divisor from being zero."""
    if type(node) is ir.Binary and node.op == "+":
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if type(other) is ir.Constant and type(other.value) is float and 0 < other.value < 1e-2:
                return one
    return node
