"""Values written by `x.at[i].set(v)` and its kin that the dtype of the array cannot hold."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.promotion import combined
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.model import Kind
from jaxlint.analysis.shapes.creation import listed

_WRITING = frozenset({"set", "add", "subtract", "multiply", "mul", "min", "max"})


class Lossy(NamedTuple):
    """Detail of LOSSY_SCATTER: the dtypes of the array, of the value, and of both together."""

    array: str
    value: str
    common: str


class Scatters(Checker):
    """Values that an update cannot store in the array."""

    def subscribe(self, events: Events) -> None:
        events.array_updated.append(self.lossy)

    def lossy(self, call: Call, at: v.At, method: str) -> None:
        """A demand where JAX computes in the common dtype of both and casts all of the result back."""
        written = call.get(0, "values")
        target = self.i.aval_of(at.array)
        if method not in _WRITING or written is None or target.dtype is None or target.dtype in v.KEYS:
            return
        aval = listed(self.i, written) if self.i.is_list(written) else self.i.aval_of(written)
        common, _ = combined((v.Aval(target.dtype), aval))
        if common is None or aval.dtype is None or common == target.dtype or target.weak is None:
            return
        node = call.node_of(0, "values") or call.node
        detail = Lossy(target.dtype, aval.dtype, common)
        self.i.demand(Kind.LOSSY_SCATTER, call.node, node, written, api=method, detail=detail)
