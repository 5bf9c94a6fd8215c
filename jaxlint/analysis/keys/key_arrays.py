"""Arrays of keys: where one key is wanted, and where they are unpacked into another number of names.

A shape counts only where it is known. Of legacy keys it leaves out the words of a key.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter


@dataclass(frozen=True, slots=True)
class KeyArray:
    """An array of keys: how many, and what they are unpacked into."""

    count: int | None  # along the first axis, where that is known
    targets: int = 0  # names it is unpacked into, a starred one left out
    starred: bool = False
    split: int = -1  # site of the `split` that made it, where that is known


@hazard_class()
class BatchOfKeysToSampler(Hazard):
    """A sampler, which draws from one key, is given an array of keys.

    Site: the call that takes one key; operand: the array of keys; api.
    """

    keys: KeyArray


@hazard_class(of_plain_values=True)
class SplitCountMismatch(Hazard):
    """`jax.random.split` gives another number of keys than the code takes.

    Site, operand: the keys that are unpacked into another number of names.
    """

    keys: KeyArray


class KeyArrays(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Ident of an array of keys -> site of the `split` that made it.
        self.splits: dict[v.Ident | None, int] = self.i.per_module({})
        self.measured: set[v.Ident | None] = self.i.per_module(set())  # idents of keys whose shape was asked for

    def made(self, keys: v.Array, call: Call) -> v.Array:
        """Record which `split` made the keys."""
        if keys.ident is not None and type(call.node) is ir.Call:
            self.splits[keys.ident] = call.site
        return keys

    def asked(self, value: v.Value) -> None:
        """The shape of keys is read, to tell one key from many: the code that follows may depend on it."""
        if type(value) is v.Array and value.aval.dtype in v.KEYS:
            if value.ident is None:
                self.i.touched.append(0)  # no call that does this may be taken for another
            else:
                self.measure(value.ident)

    def measure(self, ident: v.Ident) -> None:
        self.measured.add(ident)
        self.i.effects.append((self.measure, ident))

    def given_to_unknown(self, call: Call) -> None:
        """A call that is not followed may ask."""
        for value in call.all():
            self.asked(value)

    def batch(self, key: v.Value | None) -> KeyArray | None:
        """What is known of a value that is certainly an array of keys, and not one key."""
        if type(key) is not v.Array or key.aval.dtype not in v.KEYS or not key.aval.shape or key.ident in self.measured:
            return None
        count = key.aval.shape[0]
        return KeyArray(count if isinstance(count, int) else None, split=self.splits.get(key.ident, -1))

    def single(self, name: str, call: Call) -> bool:
        """A function that takes one key is given an array of them; recorded if so."""
        key, node = call.get(0, "key"), call.node_of(0, "key")
        found = self.batch(key)
        if key is None or found is None or node is None:
            return False
        if self.i.path_conditions.is_local:
            return False  # it may ask whether one key is given
        self.i.report(BatchOfKeysToSampler(found), call.node, node, key, api=name)
        return True

    def unpacked(self, target: ir.Sequence, value: v.Value, source: ir.Node, star: int | None) -> None:
        """Keys that are unpacked into names of another number."""
        found = self.batch(value)
        if found is None or found.count is None:
            return
        least = len(target.elements) - (star is not None)
        if found.count < least or (star is None and found.count > least):
            detail = replace(found, targets=least, starred=star is not None)
            self.i.report(SplitCountMismatch(detail), source, source, value, api="jax.random.split")
