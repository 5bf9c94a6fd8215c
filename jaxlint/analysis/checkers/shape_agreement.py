"""Operands whose shapes do not agree, and predictions that broadcast with their targets."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.bound_arguments import Given
from jaxlint.analysis.shapes.disagreements import Misfit, cannot_broadcast, differ, misfit, product, set_at
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, only_value

# What is wrong with one array: `first` is what the operation asks for.
OF_ONE_ARRAY = frozenset({"axis", "rank", "square", "removed", "order", "split"})


@hazard_class(of_plain_values=True)
class ShapeMismatch(Hazard):
    """An operation does not take the shape of an array. Site: the operator or call; operand: the second of two, or the argument."""

    # "broadcast", "matmul", "scalar": a product with one number; "layer"; of functions: "equal", "stacked", "joined" along
    # one axis, "summed" over an axis, "columns" of a stack of vectors, of
    # one array: an "axis" that it lacks, its "rank", "square" matrices, the axis "removed", the "order" of axes, a "split", "elements" of a reshape, "update" of a part; "parameters" of a layer in `init` and in `apply`
    how: str
    first: v.Shape  # of a layer: the one that it takes
    second: v.Shape
    layer: str = ""  # or the function of a library that combines them


@hazard_class(consequence=Consequence.SILENT, of_plain_values=True)
class PredictionBroadcast(Hazard):
    """A column that a layer or matrix product gave is combined with a row of targets, and gives a matrix.

    Site: the operator; operand: the column.
    """

    column: v.Shape
    row: v.Shape


class ShapeAgreement(Checker):
    """Shapes of the operands of operators, functions and layers."""

    def subscribe(self, events: Events) -> None:
        events.refuses_array_operands.append(self.operator)
        events.refuses_arrays.append(self.function)
        events.refuses_update.append(self.update)
        events.layer_misfits.append(self.layer)
        events.refuses_parameters.append(self.parameters)

    def operator(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> bool:
        first, second = (self.i.aval_of(operand).shape for operand in operands)
        if first is None or second is None or not any(type(each) is v.Array for each in operands):
            return False
        if any(type(each) not in (v.Array, v.Host, v.Const, v.Static) for each in operands):
            return False
        how = product(first, second) if op == "@" else "broadcast" if cannot_broadcast(first, second) else None
        if how is not None:
            return self.found(Misfit(how, first, second, operands[1]), node, nodes)
        if op in ("-", "=="):
            self.column(node, operands, nodes, (first, second))
        return False

    def function(self, name: str, call: Call) -> bool:
        found = misfit(Given(self.i, name, call), name)
        return found is not None and self.found(found, call.node, call.arg_nodes, name)

    def update(self, call: Call, shape: v.Shape | None, name: str) -> bool:
        """What is written into a part of an array."""
        if not call.args or type(call.args[0]) not in (v.Array, v.Host, v.Const, v.Static):
            return False
        found = set_at(shape, call.args[0], self.i.aval_of(call.args[0]))
        return found is not None and self.found(found, call.node, call.arg_nodes, f".at[].{name}")

    def found(self, misfit: Misfit, node: ir.Node, nodes: Sequence[ir.Node], name: str = "") -> bool:
        """Record shapes that do not agree; in a source that stands for a library, at the call of it."""
        if self.i.possible:
            return False  # another object may be what is called here
        value = misfit.operand or v.UNKNOWN
        operand = nodes[1] if len(nodes) > 1 and misfit.how not in OF_ONE_ARRAY else nodes[0] if nodes else node
        if self.i.is_in_source(node.site):
            outside = next((site for site in reversed(self.i.chain) if not self.i.is_in_source(site)), None)
            call = None if outside is None else self.i.unit.nodes[outside]
            if type(call) is not ir.Call:
                return True
            name, node, operand = ir.dotted(call.func) or "", call, call
        self.i.report(ShapeMismatch(misfit.how, misfit.first, misfit.second, name), node, operand, value)
        return True

    def column(
        self, node: ir.Node, operands: Sequence[v.Value], nodes: Sequence[ir.Node], shapes: tuple[v.Shape, v.Shape]
    ) -> None:
        """A column of predictions and a row of targets of the same length: each is combined with all others."""
        for number, other in ((0, 1), (1, 0)):
            column, row = shapes[number], shapes[other]
            if len(column) != 2 or column[1] != 1 or len(row) != 1 or row[0] == 1 or differ(column[0], row[0]):
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
        if self.i.possible:
            return
        node = call.arg_nodes[0] if call.arg_nodes else call.node
        self.i.report(ShapeMismatch("layer", takes, given, layer), call.node, node, call.args[0])

    def parameters(self, call: Call, made: v.Shape, met: v.Shape, layer: str) -> bool:
        """A module is applied to an input of another size than its parameters were made for."""
        return self.found(Misfit("parameters", made, met), call.node, call.arg_nodes, layer)
