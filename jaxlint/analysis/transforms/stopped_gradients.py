"""`stop_gradient` where it is of no use, and where it leaves nothing to differentiate.

Of what a module stores when it is made it is of no use: no derivative is taken there, and the array is trained. A term of a loss
of which each part is stopped has no gradient, and neither has `x + stop_gradient(q) - x`, from which `x` cancels.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.narrowing import guard_key
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_STOP = "jax.lax.stop_gradient"
_SUMS = frozenset({"jax.numpy.sum", "jax.numpy.mean", "jax.numpy.average", "jax.numpy.linalg.norm"})
_SUM_METHODS = frozenset({"sum", "mean"})
_MOST_NAMES = 4  # that lead from a term to what is stopped
_MAKING = frozenset({"__init__", "__post_init__"})
# Variables of NNX that are trained, which hold what they are given.
_PARAMETERS = frozenset({"flax.nnx.Param"})


@hazard_class(consequence=Consequence.SILENT, of_any_value=True)
class StopGradientWhenMade(Hazard):
    """A module stores what `stop_gradient` gives. Site: its call; operand: the target of the store."""

    attribute: str
    family: str  # "equinox" or "nnx"


class StoppedGradients(Checker):
    """Attributes that are set while a module is made."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.inside: set[int] = set()  # sites of classes whose modules are made in transforms, too

    def subscribe(self, events: Events) -> None:
        events.attribute_stored.append(self.stored)

    def stored(self, target: ir.Node, base: v.Value, attr: str, value: v.Value, source: ir.Node, op: str) -> None:
        """An attribute is set."""
        contents = self.i.contents(base)
        if type(contents) is not Instance or contents.cls.family not in ("equinox", "nnx"):
            return
        if getattr(self.i.frame.scope, "name", "") not in _MAKING:
            return
        if self.i.context.level is not None:
            self.i.found.pop((StopGradientWhenMade, source.site), None)
            self.inside.add(contents.cls.definition.site)
        if contents.cls.definition.site in self.inside:
            return
        if contents.cls.family == "nnx":
            if type(source) is not ir.Call or self.name(source) not in _PARAMETERS or not source.args:
                return  # arrays that are no parameters are left alone by derivatives
            source = source.args[0]
        elif self.is_static(contents.cls, attr):
            return
        if self.name(source) == _STOP:
            self.i.report(StopGradientWhenMade(attr, contents.cls.family), source, target, value)

    def name(self, node: ir.Node) -> str:
        """The function of a library that an expression calls; empty for any other."""
        callee = self.i.last_callee.get(node.site) if type(node) is ir.Call else None
        return callee.name if type(callee) is v.Api else ""

    def is_static(self, cls: v.ClassValue, attr: str) -> bool:
        static = self.i.pytrees.static_fields(cls)
        return static is None or attr in static


@hazard_class(consequence=Consequence.SILENT)
class StoppedTerm(Hazard):
    """A sum has a term without a gradient. Site, operand: what has none, a term of which each part is stopped, or the whole sum."""

    stop: int  # site of a call of `stop_gradient` in it
    cancelled: int  # site of what cancels, which is added and taken off; -1 for a stopped term


class StoppedTerms(Checker):
    """Sums of which one term has no gradient."""

    def subscribe(self, events: Events) -> None:
        events.refuses_array_operands.append(self.added)

    def added(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> bool:
        """A sum or a difference of arrays: never refused."""
        if op not in ("+", "-") or type(node) is not ir.Binary or not _stops(self.i.unit.module_of(node.site)):
            return False
        above = self.i.unit.parent(node.site)
        if type(above) is ir.Binary and above.op in ("+", "-"):
            return False  # part of a longer sum
        terms = list(_terms(node, True))
        if not self.cancels(node, terms, operands[0]):
            self.lost(terms, operands[0])
        return False

    def cancels(self, node: ir.Node, terms: list[tuple[ir.Node, bool]], value: v.Value) -> bool:
        """Report a sum in which a term is added and taken off, beside one that is stopped."""
        stops = [each for each, _ in terms if self.is_stop(each)]
        if not stops:
            return False
        added = {guard_key(each): each for each, sign in terms if sign and each not in stops}
        for each, sign in terms:
            key = guard_key(each)
            if not sign and key is not None and key in added and each not in stops:
                self.i.report(StoppedTerm(stops[0].site, added[key].site), node, node, value)
                return True
        return False

    def lost(self, terms: list[tuple[ir.Node, bool]], value: v.Value) -> None:
        """Report a term of which each part is stopped, beside one that is not."""
        found, others = [], False
        for term, _ in terms:
            term = resolved(self.i.unit, _unscaled(term))
            stops: list[ir.Node] = []
            if not self.is_stopped(term, stops):
                others = True
            elif len({guard_key(each) or each.site for each in stops}) > 1 and self.is_summed(term):
                found.append((term, stops[0]))
        for term, stop in found if others else ():
            self.i.report(StoppedTerm(stop.site, -1), term, term, value)

    def is_stop(self, node: ir.Node) -> bool:
        callee = self.i.last_callee.get(node.site) if type(node) is ir.Call else None
        return type(callee) is v.Api and callee.name == _STOP

    def is_summed(self, node: ir.Node) -> bool:
        """Whether a term is a sum or a mean, possibly of which a part is taken."""
        if type(node) is not ir.Call:
            return False
        callee = self.i.last_callee.get(node.site)
        if type(callee) is v.Api:
            return callee.name in _SUMS
        return type(callee) is v.Member and callee.name in _SUM_METHODS

    def is_stopped(self, node: ir.Node, stops: list[ir.Node], depth: int = 0) -> bool:
        """Whether an expression is computed of numbers and of what is stopped alone; notes the calls that stop."""
        if depth > _MOST_NAMES:
            return False
        if type(node) is ir.Name:
            value = resolved(self.i.unit, node)
            return value is not node and self.is_stopped(value, stops, depth + 1)
        if type(node) is ir.Constant:
            return True
        if type(node) is ir.Unary:
            return self.is_stopped(node.operand, stops, depth)
        if type(node) is ir.Binary:
            return self.is_stopped(node.left, stops, depth) and self.is_stopped(node.right, stops, depth)
        if type(node) is not ir.Call:
            return False
        if self.is_stop(node):
            stops.append(node)
            return True
        callee = self.i.last_callee.get(node.site)
        parts: list[ir.Node] = [*node.args, *(each.value for each in node.keywords)]
        if type(callee) is v.Member and type(node.func) is ir.Attribute:
            parts = [node.func.value]
        elif type(callee) is not v.Api or not callee.name.startswith("jax.numpy."):
            return False
        return bool(parts) and all(self.is_stopped(each, stops, depth) for each in parts)


@functools.lru_cache(maxsize=16)
def _stops(module: ir.Module) -> bool:
    """Whether a file names `stop_gradient` at all."""
    named = (each for each in ir.walk([module]) if isinstance(each, (ir.Name, ir.Attribute)))
    return any(ir.last_part(each) == "stop_gradient" for each in named)


def _terms(node: ir.Node, sign: bool) -> Iterator[tuple[ir.Node, bool]]:
    """The terms of a sum, each with whether it is added or taken off."""
    if type(node) is ir.Binary and node.op in ("+", "-"):
        yield from _terms(node.left, sign)
        yield from _terms(node.right, sign if node.op == "+" else not sign)
    elif type(node) is ir.Unary and node.op == "-":
        yield from _terms(node.operand, not sign)
    else:
        yield node, sign


def _unscaled(node: ir.Node) -> ir.Node:
    """A term without the number or the constant that it is multiplied by."""
    if type(node) is ir.Binary and node.op == "*":
        for factor, rest in ((node.left, node.right), (node.right, node.left)):
            if type(factor) is ir.Constant or type(factor) in (ir.Name, ir.Attribute) and type(rest) is ir.Call:
                return rest
        if type(node.left) is ir.Name and type(node.right) is ir.Name:
            return node.right
    return node
