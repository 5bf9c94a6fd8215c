"""Logarithms of sums of exponentials, of softmax and of sigmoid, which are infinite where JAX has functions that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved

if TYPE_CHECKING:
    from jaxlint import knowledge

_LOGARITHMS = frozenset({"jax.numpy.log", "jax.lax.log"})
_OF_ONE_MORE = "jax.numpy.log1p"
_SOFTMAX = frozenset({"jax.nn.softmax", "jax.scipy.special.softmax"})
_SIGMOID = frozenset({"jax.nn.sigmoid", "jax.lax.logistic", "jax.scipy.special.expit"})
# What makes finite numbers of infinite ones, and that for which minus infinity says that something is never drawn.
_TAKING = frozenset({"jax.random.categorical", "jax.numpy.clip", "jax.numpy.maximum", "jax.numpy.nan_to_num"})
_LARGEST = frozenset({"max", "amax", "maximum", "clip", "minimum", "stop_gradient"})


@hazard_class(consequence=Consequence.SILENT)
class LogOfExponentials(Hazard):
    """The logarithm of a sum of exponentials, of a softmax or a sigmoid. Site: the logarithm; operand: what the exponentials are of."""

    inner: int  # site of the sum, the softmax or the sigmoid
    how: str  # "sum", "softmax", "sigmoid", or "rest": one without a sigmoid


class Exponentials(Checker):
    """What logarithms are given."""

    def subscribe(self, events: Events) -> None:
        events.arguments_checked.append(self.given)

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
        terms: ir.Node | None = None
        if self.named(inner) in _SIGMOID:
            terms, how = ir.given(inner, 0, "x"), "sigmoid" if rest is None else "rest"
        elif rest is not None:
            return
        elif self.named(inner) in _SOFTMAX:
            terms, how = ir.given(inner, 0, "x"), "softmax"
        if self.named(inner) == "jax.numpy.sum":
            terms = self.exponents(ir.given(inner, 0, "a"))
        elif type(inner.func) is ir.Attribute and inner.func.attr == "sum":
            terms = self.exponents(inner.func.value)
        if terms is not None and not self.is_bounded(terms):
            self.i.report(LogOfExponentials(inner.site, how), call.node, terms, value, api=name)

    def exponents(self, node: ir.Node | None) -> ir.Node | None:
        """What an expression is the exponentials of."""
        made = resolved(self.i.unit, node) if node is not None else None
        return ir.given(made, 0, "x") if type(made) is ir.Call and self.named(made) == "jax.numpy.exp" else None

    def is_bounded(self, node: ir.Node) -> bool:
        """Whether the largest of the exponents may have been subtracted."""
        return any(
            type(each) is ir.Call and getattr(each.func, "attr", getattr(each.func, "id", "")) in _LARGEST
            for part in ir.walk([resolved(self.i.unit, node)])
            for each in ir.walk([resolved(self.i.unit, part)])
        )

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
