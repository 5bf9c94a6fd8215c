"""Rows that a mask fills with minus infinity from end to end, and their softmax, which is not a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, reads_of, resolved

if TYPE_CHECKING:
    from jaxlint import knowledge

_NORMALISING = frozenset({"jax.nn.softmax", "jax.nn.log_softmax", "jax.scipy.special.softmax"})
_CHOOSING = frozenset({"where", "select", "nan_to_num"})


@hazard_class(consequence=Consequence.SILENT)
class SoftmaxOfMaskedRows(Hazard):
    """The softmax of rows that are minus infinity. Site: the softmax; operand: its argument."""

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
        parts = list(self.parts(mask))
        part = next((each for each in parts if self.is_same_along_rows(each, parts)), None)
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

    def is_same_along_rows(self, node: ir.Node, parts: list[ir.Node]) -> bool:
        """Whether a part of a mask has one value for each row, as `valid[:, None]` has where `valid` has one axis."""
        indices = _indices(node)
        if not indices or not _is_new_axis(indices[-1]):
            return False
        if any(type(each) is ir.Constant and each.value is ... for each in indices):
            return True
        assert type(node) is ir.Subscript
        base, taken = node.value, sum(not _is_new_axis(each) for each in indices)
        owner = self.i.owner(base.id) if type(base) is ir.Name else None
        if owner is not None and type(base) is ir.Name:
            axes = self.i.aval_of(self.i.variables(owner)[base.id]).ndim
            if axes is not None:
                return axes == taken
        name = ir.dotted(base)
        # The same array along the other axis: each index stands for one axis.
        return name is not None and any(
            type(each) is ir.Subscript and ir.dotted(each.value) == name and _is_other_axis(indices, _indices(each))
            for each in parts
        )

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
        scope, statement = self.i.unit.scope(node.site), self.i.unit.statement(node.site)
        above = [each for each in bindings(scope, node.id) if each.site < statement.site]
        last = max(above, key=lambda each: each.site, default=None)
        if type(last) is not ir.Assign or len(last.targets) != 1 or type(last.targets[0]) is not ir.Name:
            return node
        return last.value if last in scope.body and statement in scope.body else node


def _is_minus_infinity(node: ir.Node) -> bool:
    if type(node) is ir.Unary and node.op == "-":
        return ir.last_part(node.operand) == "inf"
    given = (
        node.args[0] if type(node) is ir.Call and len(node.args) == 1 and ir.last_part(node.func) == "float" else None
    )
    return type(given) is ir.Constant and given.value in ("-inf", "-infinity")


def _indices(node: ir.Node) -> Sequence[ir.Node]:
    index = node.index if type(node) is ir.Subscript else None
    return index.elements if type(index) is ir.Sequence else ()


def _is_new_axis(node: ir.Node) -> bool:
    return type(node) is ir.Constant and node.value is None or ir.last_part(node) == "newaxis"


def _is_other_axis(indices: Sequence[ir.Node], others: Sequence[ir.Node]) -> bool:
    """Whether one of two subscripts has its new axis where the other one takes an axis: `x[:, None]` and `x[None, :]`."""
    new, taken = [[_is_new_axis(each) for each in part] for part in (indices, others)]
    return len(new) == len(taken) and sum(new) == sum(taken) and new != taken
