"""Keys that a loop of JAX carries on after a step has used them: the next step uses them again."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.state import Consumption, DictObject, Instance, ListObject
from jaxlint.analysis.keys.consumption import collides, overlap

_DRAWING = frozenset({"sampler", "split"})
_MAX_NODES = 64  # visited in a carry


class CarriedKeys(Component):
    """Component of the interpreter."""

    def handed_on(self, before: v.Value, after: v.Value) -> None:
        """A body has run: ``before`` is what it was given, ``after`` what it gives to the next step."""
        pairs = list(self._leaf_pairs(before, after))
        for old, new in pairs:
            if old.ident is None or new.ident is None or overlap(old.ident, new.ident) or not _may_be_key(new):
                continue
            if any(held.ident == old.ident and given.ident != new.ident for held, given in pairs):
                continue  # one key at the start, and two in the next step: which of them is used there is not known
            next_use, this_use = self._consumed(old.ident), self._consumed(new.ident)
            if next_use is None or this_use is None or not collides(this_use, next_use.how, next_use.detail):
                continue
            site, earlier = next_use.chain[-1], this_use.chain[-1]
            if site == earlier or new.ident in self.i.reported_keys:
                continue
            self.i.reported_keys[new.ident] = 0
            keys = self.i.keys
            how = "split" if this_use.how == "split" else "sampler"
            hazard = hazards.KeyReuse(
                earlier, keys.argument(earlier, new.ident).site, this_use.api, next_use.api, how, next_step=True
            )
            self.i.report(hazard, self.i.unit.nodes[site], keys.argument(site, old.ident), old, api=next_use.api)

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

    def _leaf_pairs(self, before: v.Value, after: v.Value) -> Iterator[tuple[v.Value, v.Value]]:
        """Pairs of leaves at the same path in both carries."""
        pairs, count = [(before, after)], 0
        while pairs and count < _MAX_NODES:
            count += 1
            old, new = pairs.pop()
            if type(old) is v.Tuple and type(new) is v.Tuple and old.items is not None and new.items is not None:
                pairs.extend(zip(old.items, new.items))
                continue
            old_contents, new_contents = self.i.contents(old), self.i.contents(new)
            if type(old_contents) is DictObject and type(new_contents) is DictObject:
                pairs.extend(
                    (old_contents.items[key], new_contents.items[key])
                    for key in old_contents.items.keys() & new_contents.items.keys()
                )
            elif (
                type(old_contents) is Instance
                and type(new_contents) is Instance
                and old_contents.cls is new_contents.cls
            ):
                pairs.extend(
                    (old_contents.fields[key], new_contents.fields[key])
                    for key in old_contents.fields.keys() & new_contents.fields.keys()
                )
            elif type(old_contents) is ListObject and type(new_contents) is ListObject:
                pairs.extend(zip(old_contents.items or (), new_contents.items or ()))
            elif old_contents is None and new_contents is None:
                yield old, new


def _is_step(part: object) -> bool:
    """Whether a part of an ident says that a value is carried by a loop, whose first step gets the initial value."""
    return isinstance(part, tuple) and len(part) == 2 and part[0] == "*"


def _may_be_key(value: v.Value) -> bool:
    if type(value) is v.Array:
        return value.aval.dtype is None or value.aval.dtype in v.KEYS
    return type(value) in (v.Unknown, v.Undecided)
