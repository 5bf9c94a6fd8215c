"""Exports with symbolic shapes: dimensions that no argument gives, sizes that do not come out even, calls that do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeGuard

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.dimensions import Dimension, Size, is_open, product, remainder, underivable
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.symbolic import is_dimension, size_of
from jaxlint.analysis.shapes.bound_arguments import is_shape
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call

EXPORTED = "jax.export.Exported"
_SPLIT = frozenset({"jax.numpy.split", "jax.numpy.vsplit"})


@hazard_class()
class SymbolicDimensionUnderivable(Hazard):
    """A symbolic dimension is not known when the program runs. Site: the call that fails."""

    how: Literal["unsolved", "foreign", "uneven", "excluded"]
    what: str  # the symbols, the size that is divided, or the shape of the specification
    by: str = ""  # the number that does not divide it, or what is passed instead


class Exports(Component):
    """Component of the interpreter."""

    def exported(self, made: v.Transformed, call: Call, arrays: Sequence[v.Value]) -> v.Value:
        """`jax.export.export(f)(…)`: what is exported, with the avals of its arguments."""
        shapes = [value.aval.shape for value in arrays if type(value) is v.Array]
        whole = (
            len(shapes) == len(call.args) - sum(map(is_dimension, call.args)) and not call.star and not call.double_star
        )
        if not whole or any(shape is None or not _is_known(shape) for shape in shapes):
            return v.OpaqueInstance(EXPORTED)
        sizes = [size for shape in shapes for size in shape or () if isinstance(size, (int, Dimension))]
        unsolved = underivable(sizes)
        if unsolved:
            self.report(call.node, call.node, SymbolicDimensionUnderivable("unsolved", ", ".join(sorted(unsolved))))
            return v.UNKNOWN
        known = frozenset().union(*(size.symbols for size in sizes if isinstance(size, Dimension)))
        partly = call.node.func if type(call.node) is ir.Call else call.node
        for value, node in [*zip(call.args, call.arg_nodes), *((part, partly) for part in _partly(made.function))]:
            size = size_of(value) if is_dimension(value) else None
            if isinstance(size, Dimension) and size.symbols - known:
                self.report(
                    call.node, node, SymbolicDimensionUnderivable("foreign", ", ".join(sorted(size.symbols - known)))
                )
                return v.UNKNOWN
        return v.OpaqueInstance(EXPORTED, tuple(value for value in arrays if type(value) is v.Array))

    def called(self, exported: v.OpaqueInstance, call: Call) -> v.Value:
        """`exported.call(…)` with shapes that the specification may exclude."""
        solved: dict[str, int] = {}
        simple = not (call.keywords or call.star or call.double_star) and len(call.args) == len(exported.args)
        for spec, value, node in zip(exported.args, call.args, call.arg_nodes) if simple else ():
            shape = self.i.aval_of(value).shape if type(value) in (v.Array, v.Host) else None
            wanted = spec.aval.shape if type(spec) is v.Array else None
            assert wanted is not None
            if shape is not None and not _fits(wanted, shape, solved):
                written = ", ".join(map(repr, wanted))
                given = ", ".join("?" if size is None else str(size) for size in shape)
                self.report(call.node, node, SymbolicDimensionUnderivable("excluded", f"({written})", f"({given})"))
                return v.UNKNOWN
        return self.i.call_unknown(v.UNKNOWN, call)

    def leaves_rest(self, name: str, call: Call) -> bool:
        """Whether a function of `jnp` divides a dimension that need not come out even; recorded if so."""
        if name == "jax.numpy.reshape" and len(call.args) == 2:
            return self.reshaped(call, call.args[0], self.i.items_of(call.args[1]) or [call.args[1]], call.arg_nodes[0])
        return name in _SPLIT and self.split(call)

    def reshaped(self, call: Call, array: v.Value, sizes: Sequence[v.Value], node: ir.Node) -> bool:
        """Whether the size that `-1` stands for has a remainder; recorded if so."""
        shape = array.aval.shape if type(array) is v.Array else None
        if shape is None or not _is_known(shape) or all(isinstance(size, int) for size in shape):
            return False
        asked = [size_of(value) for value in sizes]
        if None in asked or asked.count(-1) != 1:
            return False
        total: Size = product(shape)
        by: Size = product(size for size in asked if size is not None and size != -1)
        if isinstance(by, Dimension):
            for size in asked:  # what stands on both sides is left out
                if isinstance(size, Dimension) and size in shape:
                    shape = shape[: shape.index(size)] + shape[shape.index(size) + 1 :]
                    asked.remove(size)
            if any(isinstance(size, Dimension) for size in asked):
                return False
            total, by = product(shape), product(size for size in asked if size is not None and size != -1)
        return self.uneven(call, total, by, node)

    def split(self, call: Call) -> bool:
        array, sections = call.get(0, "ary"), call.get(1, "indices_or_sections")
        axis = call.get(2, "axis") or v.Const(0)
        if type(array) is not v.Array or not array.aval.shape or type(axis) is not v.Const:
            return False
        shape, place, by = array.aval.shape, axis.value, size_of(sections) if sections is not None else None
        if type(place) is not int or not -len(shape) <= place < len(shape) or not isinstance(by, int):
            return False
        return self.uneven(call, shape[place], by, call.arg_nodes[0])

    def uneven(self, call: Call, total: v.Size | None, by: Size | None, node: ir.Node) -> bool:
        if not isinstance(total, Dimension) or not isinstance(by, int) or by < 2:
            return False
        rest = remainder(total, by)
        if not isinstance(rest, Dimension) and rest == 0 or not is_open(total, 0):
            return False
        self.report(call.node, node, SymbolicDimensionUnderivable("uneven", repr(total), str(by)))
        return True

    def report(self, node: ir.Node, operand: ir.Node, hazard: SymbolicDimensionUnderivable) -> None:
        self.i.report(hazard, node, operand, v.UNKNOWN, origin=self.i.context.origin)


def _is_known(shape: v.Shape) -> TypeGuard[tuple[Size, ...]]:
    return all(isinstance(size, (int, Dimension)) for size in shape)


def _partly(function: v.Value) -> list[v.Value]:
    """Arguments that partials in a function have bound."""
    found: list[v.Value] = []
    while isinstance(function, (v.Partial, v.Transformed)):
        if type(function) is v.Partial:
            found += [*function.args, *function.keywords.values()]
        function = function.function
    return found


def _fits(wanted: v.Shape, shape: v.Shape, solved: dict[str, int]) -> bool:
    """Whether a shape may be of a specification; ``solved`` holds the symbols that earlier sizes have given."""
    if len(wanted) != len(shape):
        return False
    for asked, size in zip(wanted, shape):
        if not isinstance(size, int):
            continue
        if isinstance(asked, int):
            if asked != size:
                return False
        elif isinstance(asked, Dimension) and len(asked.terms) == 1 and asked.terms[0][0].is_symbol:
            ((symbol, count),) = asked.terms
            number, rest = divmod(size - asked.constant, count)
            if rest or number < 1 or solved.setdefault(symbol.text, number) != number:
                return False
    return True


def handed_on(call: Call) -> list[v.Value]:
    """The arguments that `jax.eval_shape` hands on; a shape among them is reported where it is passed."""
    return [v.UNKNOWN if is_shape(each) else each for each in call.args[1:]]


def shape_structs(interpreter: Interpreter, value: v.Value) -> v.Value:
    """What `jax.eval_shape` makes of a result: a `ShapeDtypeStruct` of each array, where its shape is known."""
    if type(value) is v.Array and value.aval.shape is not None:
        return v.OpaqueInstance(v.SHAPE_STRUCT, (interpreter.shape_fact("shape", value.aval), v.UNKNOWN))
    if type(value) is v.Tuple and value.items is not None:
        return v.Tuple(tuple([shape_structs(interpreter, item) for item in value.items]), fields=value.fields)
    return v.Unknown(v.fresh())
