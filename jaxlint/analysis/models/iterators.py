"""What traced code draws from an iterator that was made outside: one element, while the code is traced.

That is of no harm where the element gives a name, a size or a part of the program. With what traced code
computes it is one and the same element in each run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.models.host_effects import outlives_repetition

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Context
    from jaxlint.ir import nodes as ir


@hazard_class(consequence=Consequence.SILENT)
class IteratorInTracedCode(Hazard):
    """Traced code takes the next element of an iterator, and each run computes with that one element.

    Site: the call of `next` in traced code; operand: the iterator, of outside; api: innermost transform.
    """


class Iterators(Checker):
    """Iterators, and what traced code draws from them."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Element -> the call of `next`, and its context.
        self.drawn: dict[v.Ident, tuple[Call, Context]] = self.i.per_module({})
        # Those that do not begin with their first item any more, by ``born``.
        self.advanced: set[int] = self.i.per_module(set())

    def subscribe(self, events: Events) -> None:
        events.operands_read.append(self.read)

    def next(self, call: Call, iterator: v.Iterator) -> v.Value:
        """The next element."""
        self.advanced.add(iterator.born)
        element: v.Value = self.i.next_of(iterator)
        trace = self.i.context.trace
        if trace is None or not outlives_repetition(self.i, iterator.born, trace):
            return element
        self.i.touched.append(0)  # no call that does this may be taken for another
        return self.followed(element, call)

    def followed(self, element: v.Value, call: Call) -> v.Value:
        """The element, or each part of a tuple, with an ident by which it is known again. Keys have rules of their own."""
        if isinstance(element, v.Tuple) and element.items is not None:
            return v.Tuple(tuple(self.followed(item, call) for item in element.items), fields=element.fields)
        if isinstance(element, v.Const) and v.is_scalar_const(element):
            element = v.Static(type(element.value).__name__, v.fresh())
        elif isinstance(element, v.Static) and element.type in v.NUMERIC_TYPES:
            element = v.Static(element.type, v.fresh())
        elif isinstance(element, v.Array) and element.aval.dtype not in v.KEYS:
            element = element.renewed(v.fresh())
        elif isinstance(element, v.Host):
            element = v.Host(element.aval, v.fresh(), element.view)
        elif type(element) is not v.Unknown:
            return element
        if element.ident is not None:
            self.drawn[element.ident] = (call, self.i.context)
        return element

    def read(self, node: ir.Node, operands: Sequence[v.Value]) -> None:
        """An operation of JAX computes with its operands."""
        if not self.drawn or self.i.context.stage != STAGED_CODE:
            return
        for leaf in self.i.leaves(operands):
            if leaf.ident is not None and leaf.ident[:1] in self.drawn:
                call, context = self.drawn[leaf.ident[:1]]
                self.i.report(
                    IteratorInTracedCode(),
                    call.node,
                    call.arg_nodes[0],
                    leaf,
                    api=context.trace.transform if context.trace is not None else None,
                    origin=context.origin,
                )
