"""Arrays whose memory nothing was written to (`jax.numpy.empty`), and what computes with them all the same.

Such an array has an ident, which every update and every operation on it drops: who computes with
the ident computes with whatever was in memory.
"""

from __future__ import annotations

from typing import Any

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.model import Kind


class Uninitialised:
    """Component of the interpreter."""

    def __init__(self, interpreter: Any) -> None:
        self.i = interpreter
        # The call, its name, mode of the array, inside of Haiku.
        self.made: dict[v.Ident, tuple[Any, str, str, bool]] = {}

    def new(self, found: knowledge.Facts, node: Any, array: v.Array) -> v.Array:
        """The array that a call gives without writing to it, in the newest release that the code must run on."""
        facts = knowledge.facts(found.name, self.i.target.newest)
        if facts is None or not facts.uninitialised:
            return array
        ident = v.fresh()
        self.made[ident] = (node, found.name, array.mode, self.i.context.haiku)
        return v.Array(array.mode, array.aval, array.origin, ident)

    def read(self, node: Any, *values: v.Value) -> None:
        """An operation that computes with the values of arrays."""
        if self.i.iterators.drawn:
            self.i.iterators.read(values)
        for value in values:
            if type(value) is not v.Array or value.ident not in self.made:
                continue
            made, name, mode, haiku = self.made[value.ident]
            # As the argument of a transformed function it may do for its shape alone: `init`, `lower`, a warm-up.
            if value.mode == mode and haiku == self.i.context.haiku and 0 not in (value.aval.shape or ()):
                self.i.demand(Kind.UNINITIALISED, made, node, value, api=name)
