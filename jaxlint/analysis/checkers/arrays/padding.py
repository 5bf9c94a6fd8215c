"""Indices that `jnp.nonzero(…, size=n)` and its kin pad with 0, and what takes the padding for a result.

Such an array has an ident. It is padded for certain where as many places are asked for as there are
elements: then all of them would have to be found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.bound_arguments import Given, number, total
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Frame

SEARCHING = frozenset({"jax.numpy.nonzero", "jax.numpy.flatnonzero", "jax.numpy.argwhere", "jax.numpy.where"})
_REDUCING = frozenset("sum mean prod std var median nansum nanmean nanprod".split())
_WRITING = frozenset("set add subtract multiply mul divide power min max".split())


@hazard_class()
class PaddedSizeResult(Hazard):
    """Padding is taken for a result. Site: what takes it; operand: the call that pads."""

    search: int  # site of the call that pads
    size: int | None  # site of what `size=` says
    use: str  # "read" or "written"


class Padding(Checker):
    """Padding of searches that is taken for results."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.padded: dict[v.Ident, tuple[Call, Frame]] = self.i.per_module(
            {}
        )  # indices -> the search, the frame it is in
        self.read: dict[v.Ident, tuple[Call, Frame]] = self.i.per_module({})  # what was read by them

    def subscribe(self, events: Events) -> None:
        events.searched_value.append(self.found)
        events.item_value.append(self.item)
        events.reduced.append(self.reduce)
        events.array_updated.append(self.write)

    def found(self, result: v.Value, name: str, call: Call) -> v.Value:
        """The result of a search, marked where it is padded."""
        if name not in SEARCHING or call.star or call.double_star or "fill_value" in call.keywords:
            return result
        if len(call.args) != 1 or not self.is_whole(name, call):
            return result
        if type(result) is v.Array:
            return self.marked(self.padded, call, result)
        if type(result) is v.Tuple and result.items is not None:
            return v.Tuple(tuple(self.marked(self.padded, call, x) for x in result.items if type(x) is v.Array))
        if type(result) is v.Tuple and type(result.element) is v.Array:
            return v.Tuple(None, self.marked(self.padded, call, result.element))
        return result

    def marked(self, table: dict[v.Ident, tuple[Call, Frame]], call: Call, array: v.Array) -> v.Array:
        ident = v.fresh()
        table[ident] = (call, self.i.frame)
        return array.renewed(ident)

    def is_whole(self, name: str, call: Call) -> bool:
        """Whether as many places are asked for as the array has elements."""
        given = Given(self.i, name, call)
        shape, size = given.first.shape, number(given.get("size"))
        if isinstance(size, int):
            elements = total(shape) if shape is not None else None
            return isinstance(elements, int) and 1 < elements <= size
        node = call.keyword_nodes.get("size")
        searched = {each.id for each in _operands(call.arg_nodes[0]) if type(each) is ir.Name}
        measured = _measured(node, shape is not None and len(shape) == 1)
        return measured is not None and measured in searched

    def of(self, table: dict[v.Ident, tuple[Call, Frame]], value: v.Value) -> Call | None:
        """The search that a value comes from, where this function made it."""
        if type(value) is not v.Array or value.ident not in table:
            return None
        call, frame = table[value.ident]
        return call if frame is self.i.frame else None

    def among(self, index: v.Value) -> Call | None:
        parts: tuple[v.Value, ...] = (index,)
        if type(index) is v.Tuple:
            parts = index.items if index.items is not None else (index.element,)
        return next((call for call in (self.of(self.padded, part) for part in parts) if call is not None), None)

    def item(self, result: v.Value, base: v.Value, index: v.Value) -> v.Value:
        """`x[indices]`, or part of the indices."""
        if type(result) is not v.Array or result.ident is not None:
            return result
        own, call = self.of(self.padded, base), self.among(index)
        if own is not None:
            return self.marked(self.padded, own, result)
        return self.marked(self.read, call, result) if call is not None else result

    def reduce(self, name: str, call: Call, operand: v.Value) -> None:
        """A reduction takes what was read at index 0 for as many results."""
        search = self.of(self.read, operand)
        if search is not None and name.rpartition(".")[2] in _REDUCING and "where" not in call.keywords:
            self.report(call, search, "read", name)

    def write(self, call: Call, at: v.At, method: str) -> None:
        """Element 0 is written to for as many results."""
        search = self.among(at.index) if at.index is not None and method in _WRITING else None
        if search is not None:
            self.report(call, search, "written", method)

    def report(self, call: Call, search: Call, use: str, api: str) -> None:
        size = search.keyword_nodes.get("size")
        hazard = PaddedSizeResult(search.site, size.site if size is not None else None, use)
        self.i.report(hazard, call.node, search.node, v.UNKNOWN, api=api)


def _operands(node: ir.Node) -> Iterator[ir.Node]:
    """What an elementwise expression is made of."""
    if type(node) in (ir.Compare, ir.Binary, ir.Unary):
        for child in node.children():
            yield from _operands(child)
    else:
        yield node


def _measured(node: ir.Node | None, flat: bool) -> str | None:
    """The variable whose number of elements an expression is: `x.size`, or `len(x)` of one dimension."""
    if type(node) is ir.Attribute and node.attr == "size" and type(node.value) is ir.Name:
        return node.value.id
    if flat and type(node) is ir.Call and type(node.func) is ir.Name and node.func.id == "len" and len(node.args) == 1:
        return node.args[0].id if type(node.args[0]) is ir.Name else None
    return None
