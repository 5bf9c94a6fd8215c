"""Arrays whose memory nothing was written to (`jax.numpy.empty`), and what computes with them all the same.

Such an array has an ident, which every update and every operation on it drops: who computes with
the ident computes with whatever was in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import makes_parameters
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.ir import nodes as ir


@hazard_class(decided_by="elsewhere")
class UninitialisedEmpty(Hazard):
    """An array from `jnp.empty` is computed with before anything is written to it.

    Site: the call that makes the array; operand: what computes with it; api.
    """


class Uninitialised(Checker):
    """Arrays that are read before anything is written to them."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # The call, its name, mode of the array, whether `init` of a framework is around.
        self.made: dict[v.Ident, tuple[Any, str, str, bool]] = self.i.per_module({})

    def subscribe(self, events: Events) -> None:
        events.uninitialised_made.append(self.new)
        events.operands_read.append(self.read)

    def new(self, array: v.Value, found: knowledge.Facts, node: ir.Node) -> v.Value:
        """The array that a call gives without writing to it, in the newest release that the code must run on."""
        facts = knowledge.facts(found.name, self.i.target.newest)
        if type(array) is not v.Array or facts is None or not facts.uninitialised:
            return array
        ident = v.fresh()
        self.made[ident] = (node, found.name, array.mode, makes_parameters(self.i.context))
        return array.renewed(ident)

    def read(self, node: ir.Node, values: Sequence[v.Value]) -> None:
        """An operation that computes with the values of arrays."""
        for value in values:
            if type(value) is not v.Array or value.ident not in self.made:
                continue
            made, name, mode, initialises = self.made[value.ident]
            # As the argument of a transformed function it may do for its shape alone: `init`, `lower`, a warm-up.
            shaped = value.mode != mode or initialises != makes_parameters(self.i.context)
            if not shaped and 0 not in (value.aval.shape or ()):
                self.i.report(UninitialisedEmpty(), made, node, value, api=name)
