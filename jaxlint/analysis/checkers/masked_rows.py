"""Rows that a mask fills with minus infinity from end to end, and their softmax, which is not a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import reads_of, resolved

if TYPE_CHECKING:
    from jaxlint import knowledge

_NORMALISING = frozenset({"jax.nn.softmax", "jax.nn.log_softmax", "jax.scipy.special.softmax"})
_CHOOSING = frozenset({"where", "select", "nan_to_num"})


@dataclass(eq=False, repr=False)
class SoftmaxOfMaskedRows(Hazard):
    """The softmax of rows that are minus infinity. Site: the softmax; operand: its argument."""

    consequence = Consequence.SILENT

    part: int  # site of the part of the mask that is the same all along a row
    infinity: int  # and of what stands in its place
    scores: int  # and of what is masked


class MaskedRows(Checker):
    """What softmax is given."""

    def subscribe(self, events: Events) -> None:
        events.arguments_checked.append(self.given)

    def given(self, name: str, _found: knowledge.Facts, call: Call) -> None:
        if name not in _NORMALISING or not call.args or "where" in call.keywords or type(call.node) is not ir.Call:
            return
        axis = call.get(1, "axis")
        if (
            axis is None
            and name.startswith("jax.scipy.")
            or axis is not None
            and (type(axis) is not v.Const or axis.value != -1)
        ):
            return
        choice = self.resolved(call.arg_nodes[0])
        if (
            type(choice) is not ir.Call
            or ir.last_part(choice.func) != "where"
            or len(choice.args) != 3
            or self.is_mended(call.node)
        ):
            return
        mask, scores, other = choice.args
        if not _is_minus_infinity(other):
            return
        part = next((each for each in self.parts(mask) if _is_same_along_rows(each)), None)
        if part is not None:
            hazard = SoftmaxOfMaskedRows(part.site, other.site, scores.site)
            self.i.report(hazard, call.node, call.arg_nodes[0], call.args[0], api=name)

    def parts(self, mask: ir.Node) -> Iterator[ir.Node]:
        """What has to hold for a mask to hold."""
        mask = self.resolved(mask)
        if type(mask) is ir.Binary and mask.op in ("&", "*"):
            yield from self.parts(mask.left)
            yield from self.parts(mask.right)
        elif type(mask) is ir.Call and ir.last_part(mask.func) == "logical_and" and len(mask.args) == 2:
            yield from self.parts(mask.args[0])
            yield from self.parts(mask.args[1])
        else:
            yield mask

    def is_mended(self, node: ir.Node) -> bool:
        """Whether the result is given to what chooses other values for it."""
        statement = self.i.unit.statement(node.site)
        uses: list[ir.Node] = [node]
        if isinstance(statement, ir.Assign):
            uses += reads_of(self.i.unit, statement) or ()
        for use in uses:
            for around in self.i.unit.ancestors(use.site):
                if isinstance(around, ir.Statement):
                    break
                if type(around) is ir.Call and ir.last_part(around.func) in _CHOOSING:
                    return True
        return False

    def resolved(self, node: ir.Node) -> ir.Node:
        """The expression that a local name is bound to, where it is bound once, or anew of itself."""
        value = resolved(self.i.unit, node)
        if value is not node or type(node) is not ir.Name:
            return value
        scope = self.i.unit.scope(node.site)
        above = [
            each
            for each in scope.body
            if type(each) is ir.Assign
            and each.site < self.i.unit.statement(node.site).site
            and len(each.targets) == 1
            and type(each.targets[0]) is ir.Name
            and each.targets[0].id == node.id
        ]
        return above[-1].value if above and self.i.unit.statement(node.site) in scope.body else node


def _is_minus_infinity(node: ir.Node) -> bool:
    if type(node) is ir.Unary and node.op == "-":
        return ir.last_part(node.operand) == "inf"
    given = (
        node.args[0] if type(node) is ir.Call and len(node.args) == 1 and ir.last_part(node.func) == "float" else None
    )
    return type(given) is ir.Constant and given.value in ("-inf", "-infinity")


def _is_same_along_rows(node: ir.Node) -> bool:
    """Whether an expression has one value for each row: `valid[:, None]`."""
    if type(node) is not ir.Subscript or type(node.index) is not ir.Sequence:
        return False
    last = node.index.elements[-1]
    if type(last) is ir.Constant:
        return last.value is None
    return ir.last_part(last) == "newaxis"
