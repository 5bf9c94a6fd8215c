"""Operands whose shapes do not agree, and predictions that broadcast with their targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.operators import operand_nodes
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, only_value

# Functions of two arrays that are broadcast, beside the operators; and products of matrices.
_BROADCASTING = frozenset(
    f"jax.numpy.{name}" for name in (
        "add subtract multiply divide true_divide power maximum minimum arctan2 logaddexp equal not_equal less less_equal"
        " greater greater_equal"
    ).split()
)  # fmt: skip
_PRODUCTS = frozenset({"jax.numpy.matmul"})


@dataclass(eq=False, repr=False)
class ShapeMismatch(Hazard):
    """Two arrays are combined whose shapes do not fit. Site: the operator or call; operand: the second of them, or the argument."""

    of_plain_values = True

    how: str  # "broadcast", "matmul", "scalar": a product with one number; "layer"
    first: v.Shape  # of a layer: the one that it takes
    second: v.Shape
    layer: str = ""  # or the function of a library that combines them


@dataclass(eq=False, repr=False)
class PredictionBroadcast(Hazard):
    """A column that a layer or matrix product gave is combined with a row of targets, and gives a matrix.

    Site: the operator; operand: the column.
    """

    consequence = Consequence.SILENT
    of_plain_values = True

    column: v.Shape
    row: v.Shape


class ShapeAgreement(Checker):
    """Shapes of the two operands of an operator."""

    def subscribe(self, events: Events) -> None:
        events.operands_read.append(self.operator)
        events.compared.append(self.comparison)
        events.arguments_checked.append(self.function)
        events.layer_misfits.append(self.layer)

    def operator(self, node: ir.Node, operands: Sequence[v.Value]) -> None:
        if type(node) is ir.Binary and len(operands) == 2:
            self.check(node, node.op, operands, operand_nodes(node))
        elif type(node) is ir.Augment and len(operands) == 2:
            self.check(node, node.op.removesuffix("="), operands, operand_nodes(node))

    def comparison(
        self, node: ir.Node, op: str, left: v.Value, left_node: ir.Node, right: v.Value, right_node: ir.Node
    ) -> None:
        if op not in ("is", "is not", "in", "not in"):
            self.check(node, op, (left, right), (left_node, right_node))

    def function(self, name: str, found: knowledge.Facts, call: Call) -> None:
        if len(call.args) == 2 and not call.star and name in _BROADCASTING | _PRODUCTS:
            self.check(call.node, "@" if name in _PRODUCTS else "", call.args, call.arg_nodes)

    def check(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> None:
        first, second = (self.i.aval_of(operand).shape for operand in operands)
        if first is None or second is None or not any(type(each) is v.Array for each in operands):
            return
        if any(type(each) not in (v.Array, v.Host, v.Const, v.Static) for each in operands):
            return
        how = None
        if op == "@":
            if not first or not second:
                how = "scalar"
            elif _differ(first[-1], second[-2] if len(second) > 1 else second[-1]):
                how = "matmul"
            elif _misfit(first[:-2], second[:-2]):
                how = "broadcast"
        elif _misfit(first, second):
            how = "broadcast"
        elif op in ("-", "=="):
            self.column(node, operands, nodes, (first, second))
        if how is not None and self.i.is_in_source(node.site):
            outside = next((site for site in reversed(self.i.chain) if not self.i.is_in_source(site)), None)
            call = None if outside is None else self.i.unit.nodes[outside]
            if type(call) is ir.Call:
                library = ir.dotted(call.func) or ""
                self.i.report(ShapeMismatch(how, first, second, library), call, call, operands[1])
        elif how is not None:
            self.i.report(ShapeMismatch(how, first, second), node, nodes[1] if len(nodes) > 1 else node, operands[1])

    def column(
        self, node: ir.Node, operands: Sequence[v.Value], nodes: Sequence[ir.Node], shapes: tuple[v.Shape, v.Shape]
    ) -> None:
        """A column of predictions and a row of targets of the same length: each is combined with all others."""
        for number, other in ((0, 1), (1, 0)):
            column, row = shapes[number], shapes[other]
            if len(column) != 2 or column[1] != 1 or len(row) != 1 or row[0] == 1 or _differ(column[0], row[0]):
                continue
            if column[0] != 1 and self.is_predicted(operands[number], nodes[number] if nodes else None):
                operand = nodes[number] if nodes else node
                self.i.report(PredictionBroadcast(column, row), node, operand, operands[number])

    def is_predicted(self, value: v.Value, node: ir.Node | None) -> bool:
        """Whether an array comes of a layer or a matrix product, and not of an axis that was added on purpose."""
        if self.i.layers.provenance.get(value.ident) == "column":
            return True
        if type(node) is ir.Name:
            scope = defining_scope(self.i.unit, node.site, node.id)
            node = only_value(scope, node.id) if scope is not None else None
        while type(node) is ir.Binary and node.op == "+":  # a bias
            node = node.left
        return type(node) is ir.Binary and node.op == "@"

    def layer(self, call: Call, takes: v.Shape, given: v.Shape, layer: str) -> None:
        """A layer is called with an array of another shape than it takes."""
        node = call.arg_nodes[0] if call.arg_nodes else call.node
        self.i.report(ShapeMismatch("layer", takes, given, layer), call.node, node, call.args[0])


def _differ(m: object, n: object) -> bool:
    return isinstance(m, int) and isinstance(n, int) and m != n


def _misfit(first: v.Shape, second: v.Shape) -> bool:
    """Whether two shapes certainly cannot be broadcast."""
    return any(_differ(m, n) and 1 not in (m, n) for m, n in zip(reversed(first), reversed(second)))
