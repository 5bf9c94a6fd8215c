"""Operands whose shapes do not agree, and predictions that broadcast with their targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.bound_arguments import Given
from jaxlint.analysis.shapes.disagreements import Misfit, cannot_broadcast, differ, misfit, product, set_at
from jaxlint.analysis.shapes.indexing import takes_all
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_ELEMENTWISE = frozenset({"+", "-", "*", "/"})
_NORMALISED = frozenset({"log_softmax", "softmax"})
_PICKING = frozenset({"argmax", "argmin"})
# What is wrong with one array: `first` is what the operation asks for.
OF_ONE_ARRAY = frozenset({"axis", "rank", "square", "removed", "order", "split"})


@hazard_class(of_plain_values=True)
class ShapeMismatch(Hazard):
    """An operation does not take the shape of an array. Site: the operator or call; operand: the second of two, or the argument."""

    # "broadcast", "matmul", "scalar": a product with one number; "layer", and its "parameters" in `init` and in `apply`; of
    # functions: "equal", "stacked", "ragged", "joined" along one axis, "summed" over an axis, "columns" of a stack of vectors;
    # of one array: an "axis" that it lacks, its "rank", "square" matrices, the axis "removed", the "order" of axes, a "split",
    # "elements" of a reshape, "sizes" of an image, "update" of a part; an array beside what is "reduced" of it, a "mask" of
    # attention, the names of a "mesh", a "spec" of a sharding, an axis "divided" among devices; the "state" of a cell, and that which is a "pair"
    how: str
    first: v.Shape  # of a layer: the one that it takes
    second: v.Shape
    layer: str = ""  # or the function of a library that combines them
    layer_site: int | None = None  # of the call of the layer whose parameters do not fit


@hazard_class(consequence=Consequence.SILENT, of_plain_values=True)
class PredictionBroadcast(Hazard):
    """A column that a layer or matrix product gave is combined with a row of targets, and gives a matrix.

    Site: the operator; operand: the column.
    """

    column: v.Shape
    row: v.Shape


@hazard_class(consequence=Consequence.SILENT, of_plain_values=True)
class EveryIndexOfEachRow(Hazard):
    """An index for each row takes all of them from every row: `log_probs[:, actions]`, and gives a square matrix.

    Site: the subscript; operand: the index.
    """

    rows: int  # and indices


@hazard_class(consequence=Consequence.SILENT, of_plain_values=True)
class IndexOfWholeArray(Hazard):
    """One index into all elements of an array is compared with an index for each row. Site: the comparison; operand: the call."""

    shape: v.Shape  # of the array


class ShapeAgreement(Checker):
    """Shapes of the operands of operators, functions and layers."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.square: dict[int, tuple[int, v.Value]] = self.i.per_module({})  # of subscripts `x[:, i]`: n, and the index

    def subscribe(self, events: Events) -> None:
        events.element_read.append(self.item)
        events.refuses_array_operands.append(self.operator)
        events.refuses_arrays.append(self.function)
        events.refuses_update.append(self.update)
        events.layer_misfits.append(self.layer)
        events.state_misfits.append(self.state)
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
        if op == "==":
            self.whole(node, nodes, (first, second))
        if op in _ELEMENTWISE and self.square:
            self.weighted(nodes, (first, second))
        return False

    def whole(self, node: ir.Node, nodes: Sequence[ir.Node], shapes: tuple[v.Shape, v.Shape]) -> None:
        """`jnp.argmax(logits) == labels` for many rows of logits: no axis is named, and the index counts all elements."""
        for number, other in ((0, 1), (1, 0)):
            if len(nodes) != 2 or shapes[number] or not shapes[other]:
                continue
            call = bound_to(self.i.unit, nodes[number])
            if type(call) is not ir.Call or any(each.name != "a" for each in call.keywords):
                continue
            seen = self.i.last_calls.get(call.site)
            callee = self.i.last_callee.get(call.site)
            given = seen.all() if seen is not None else []
            if type(callee) is v.Member and callee.name in _PICKING:
                given = [callee.receiver, *given]
            elif type(callee) is not v.Api or callee.name.removeprefix("jax.numpy.") not in _PICKING:
                continue
            shape = given[0].aval.shape if len(given) == 1 and type(given[0]) is v.Array else None
            if shape is not None and len(shape) > 1 and not differ(shape[0], shapes[other][0]):
                self.i.report(IndexOfWholeArray(shape), node, nodes[number], v.UNKNOWN)

    def item(self, node: ir.Subscript, base: v.Array, index: v.Value) -> None:
        """`x[:, i]`, where `i` holds as many integers as `x` has rows, and `x` is not square."""
        shape, parts = base.aval.shape, index.items if type(index) is v.Tuple else None
        if shape is None or len(shape) != 2 or parts is None or len(parts) != 2 or not takes_all(parts[0]):
            return
        taken = parts[1].aval if type(parts[1]) is v.Array else None
        if taken is None or taken.shape is None or len(taken.shape) != 1 or "int" not in (taken.dtype or ""):
            return
        rows, columns, count = shape[0], shape[1], taken.shape[0]
        if type(rows) is not int or type(columns) is not int or count != rows or columns == rows or rows == 1:
            return
        self.square[node.site] = rows, parts[1]
        if _is_normalised(bound_to(self.i.unit, node.value)):
            self.taken(node)

    def weighted(self, nodes: Sequence[ir.Node], shapes: tuple[v.Shape, v.Shape]) -> None:
        """A square of all indices of each row beside a row of as many numbers: one for each row was meant."""
        for number, other in ((0, 1), (1, 0)):
            found = bound_to(self.i.unit, nodes[number]) if len(nodes) == 2 else None
            rows = self.square.get(found.site, (0, v.UNKNOWN))[0] if type(found) is ir.Subscript else 0
            if rows and shapes[number] == (rows, rows) and shapes[other] == (rows,):
                assert type(found) is ir.Subscript
                self.taken(found)

    def taken(self, node: ir.Subscript) -> None:
        rows, index = self.square[node.site]
        operand = node.index.elements[1] if isinstance(node.index, ir.Sequence) else node.index
        self.i.report(EveryIndexOfEachRow(rows), node, operand, index)

    def function(self, name: str, call: Call) -> bool:
        found = misfit(Given(self.i, name, call), name)
        return found is not None and self.found(found, call.node, call.arg_nodes, name)

    def update(self, call: Call, shape: v.Shape | None, name: str) -> bool:
        """What is written into a part of an array."""
        if not call.args or type(call.args[0]) not in (v.Array, v.Host, v.Const, v.Static):
            return False
        found = set_at(shape, call.args[0], self.i.aval_of(call.args[0]))
        return found is not None and self.found(found, call.node, call.arg_nodes, f".at[].{name}")

    def found(
        self, misfit: Misfit, node: ir.Node, nodes: Sequence[ir.Node], name: str = "", layer_site: int | None = None
    ) -> bool:
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
        self.i.report(ShapeMismatch(misfit.how, misfit.first, misfit.second, name, layer_site), node, operand, value)
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
        node = bound_to(self.i.unit, node) if node is not None else None
        while type(node) is ir.Binary and node.op == "+":  # a bias
            node = node.left
        return type(node) is ir.Binary and node.op == "@"

    def layer(self, call: Call, takes: v.Shape, given: v.Shape, layer: str) -> None:
        """A layer is called with an array of another shape than it takes."""
        if self.i.possible:
            return
        node = call.arg_nodes[0] if call.arg_nodes else call.node
        self.i.report(ShapeMismatch("layer", takes, given, layer), call.node, node, call.args[0])

    def state(self, call: Call, arrays: int, node: ir.Node, state: v.Value, layer: str) -> None:
        """A recurrent cell is given one array for a pair, or a pair for an array."""
        if not self.i.possible:
            shape = self.i.aval_of(state).shape or ()
            self.i.report(ShapeMismatch("pair" if arrays == 2 else "state", (), shape, layer), call.node, node, state)

    def parameters(self, call: Call, made: v.Shape, met: v.Shape, layer: str, layer_site: int) -> bool:
        """A module is applied to an input of another size than its parameters were made for."""
        return self.found(Misfit("parameters", made, met), call.node, call.arg_nodes, layer, layer_site)


def _is_normalised(node: ir.Node) -> bool:
    """Whether an array holds the probabilities of classes, or their logarithms, in its rows."""
    return type(node) is ir.Call and ir.last_part(node.func) in _NORMALISED
