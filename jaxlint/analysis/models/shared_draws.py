"""What a function under `vmap` draws from the host: one number, which all elements of the batch get.

`vmap` calls its function once. A weight that is drawn there may be meant for all elements; what is added to an element,
and a single number that an element is multiplied by, is meant to be another one for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE, Boundary
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import host_state

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_SHIFTS = frozenset({"+", "-", "<", ">", "<=", ">="})
_SCALES = frozenset({"*", "/", "**"})


class Draw(NamedTuple):
    """A draw of the host in a mapped function."""

    name: str
    call: Call
    boundary: int  # the mapped function in which it was made
    scalar: bool


class SharedDraws(Checker):
    """Numbers that a mapped function draws, and what its elements do with them."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.draws: dict[v.Ident, Draw] = self.i.per_module({})

    def subscribe(self, events: Events) -> None:
        events.operands_read.append(self.read)

    def drawn(self, name: str, call: Call, born: int | None = None) -> v.Value | None:
        """The number that is drawn, if that is in a mapped function; of a generator that was made before it."""
        boundary = self.boundary()
        if boundary is None or not host_state.draws_numbers(name) or (born is not None and born > boundary.serial):
            return None
        if any(leaf.cls is not None or type(leaf) is v.Array for leaf in self.i.leaves(call.all())):
            return None
        ident = v.fresh()
        self.draws[ident] = Draw(name, call, boundary.serial, host_state.draws_one(name, len(call.args), call.keywords))
        return v.Host(v.ANY, ident) if name.startswith("numpy.") else v.Static("", ident)

    def boundary(self) -> Boundary | None:
        """The mapped function that the analysis stands in, if nothing else is around its code."""
        context = self.i.context
        if context.stage == STAGED_CODE or not context.boundaries:
            return None
        innermost: Boundary = context.boundaries[-1]
        return innermost if innermost.how.endswith("vmap") else None

    def combined(self, left: v.Value, right: v.Value) -> v.Ident:
        """The ident of what the host computes of two values: a number that was drawn, scaled or shifted."""
        ident = v.fresh()
        for value in (left, right) if self.draws else ():
            draw = self.draws.get(value.ident) if value.ident is not None else None
            if draw is not None:
                self.draws[ident] = draw
        return ident

    def read(self, node: ir.Node, operands: Sequence[v.Value]) -> None:
        """An operation of JAX computes with its operands."""
        if not self.draws or len(operands) != 2:
            return
        boundary, op = self.boundary(), _operator(node)
        if boundary is None:
            return
        for number, value in enumerate(operands):
            draw = self.draws.get(value.ident) if value.ident is not None else None
            if draw is None or draw.boundary != boundary.serial or operands[1 - number].cls != v.BATCHED:
                continue
            if op in _SHIFTS or (op in _SCALES and draw.scalar):
                self.i.host_effects.shared(draw.name, draw.call)


def _operator(node: ir.Node) -> str:
    if isinstance(node, ir.Compare):
        return node.ops[0] if len(node.ops) == 1 else ""
    return node.op if isinstance(node, (ir.Binary, ir.Augment)) else ""
