"""Keys that a loop of JAX carries on after a step has used them: the next step uses them again."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.state import Consumption, DictObject, Instance, ListObject
from jaxlint.analysis.keys.consumption import collides, overlap

_DRAWING = frozenset({"sampler", "split"})
_MAX_PARTS = 64  # of a carry that are looked at


class CarriedKeys(Component):
    """Component of the interpreter."""

    def handed_on(self, before: v.Value, after: v.Value) -> None:
        """A body has run: ``before`` is what it was given, ``after`` what it gives to the next step."""
        for old, new in self._leaves(before, after):
            if old.ident is None or new.ident is None or overlap(old.ident, new.ident) or not _is_key(new):
                continue
            again, first = self._consumed(old.ident), self._consumed(new.ident)
            if again is None or first is None or not collides(first, again.how, again.detail):
                continue
            site, earlier = again.chain[-1], first.chain[-1]
            if site == earlier or new.ident in self.i.reported_keys:
                continue
            self.i.reported_keys[new.ident] = 0
            keys = self.i.keys
            how = "split" if first.how == "split" else "sampler"
            hazard = hazards.KeyReuse(
                earlier, keys.argument(earlier, new.ident).site, first.api, again.api, how, next_step=True
            )
            self.i.report(hazard, self.i.unit.nodes[site], keys.argument(site, old.ident), old, api=again.api)

    def _consumed(self, ident: v.Ident) -> Consumption | None:
        """What draws from a key, or splits it, in each step for certain."""
        assert self.i.state is not None
        consumed = self.i.state.consumed
        for other in self.i.keys.consumed_keys.like(ident, consumed):
            if overlap(other, ident) and all(map(_is_step, other[len(ident) :])):
                for event in consumed[other]:
                    if event.how in _DRAWING and event.guards == self.i.guards and len(event.chain) > len(self.i.chain):
                        return event
        return None

    def _leaves(self, before: v.Value, after: v.Value) -> Iterator[tuple[v.Value, v.Value]]:
        """The parts of both that stand at the same place."""
        pairs, count = [(before, after)], 0
        while pairs and count < _MAX_PARTS:
            count += 1
            old, new = pairs.pop()
            if type(old) is v.Tuple and type(new) is v.Tuple and old.items is not None and new.items is not None:
                pairs.extend(zip(old.items, new.items))
                continue
            held, holds = self.i.contents(old), self.i.contents(new)
            if type(held) is DictObject and type(holds) is DictObject:
                pairs.extend((held.items[key], holds.items[key]) for key in held.items.keys() & holds.items.keys())
            elif type(held) is Instance and type(holds) is Instance and held.cls is holds.cls:
                pairs.extend((held.fields[key], holds.fields[key]) for key in held.fields.keys() & holds.fields.keys())
            elif type(held) is ListObject and type(holds) is ListObject:
                pairs.extend(zip(held.items or (), holds.items or ()))
            elif held is None and holds is None:
                yield old, new


def _is_step(part: object) -> bool:
    """Whether a part of an ident says that a value is carried by a loop, whose first step is given it as it is."""
    return isinstance(part, tuple) and len(part) == 2 and part[0] == "*"


def _is_key(value: v.Value) -> bool:
    if type(value) is v.Array:
        return value.aval.dtype is None or value.aval.dtype in v.KEYS
    return type(value) in (v.Unknown, v.Undecided)
