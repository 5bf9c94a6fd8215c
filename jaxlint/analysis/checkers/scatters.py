"""Values written by `x.at[i].set(v)` and its kin that the dtype of the array cannot hold."""

from __future__ import annotations

from dataclasses import dataclass

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.promotion import combined
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.creation import listed

_WRITING = frozenset({"set", "add", "subtract", "multiply", "mul", "min", "max"})


@dataclass(eq=False, repr=False)
class LossyScatter(Hazard):
    """An update is cast to the dtype of the array. Site: the call `x.at[i].set(v)`; operand: the value; api: method."""

    array: str  # dtype of the array
    written: str  # of the value
    common: str  # of both together


class Scatters(Checker):
    """Values that an update cannot store in the array."""

    def subscribe(self, events: Events) -> None:
        events.array_updated.append(self.lossy)

    def lossy(self, call: Call, at: v.At, method: str) -> None:
        """A hazard where JAX computes in the common dtype of both and casts all of the result back."""
        written = call.get(0, "values")
        target = self.i.aval_of(at.array)
        if method not in _WRITING or written is None or target.dtype is None or target.dtype in v.KEYS:
            return
        aval = listed(self.i, written) if self.i.is_list(written) else self.i.aval_of(written)
        common, _ = combined((v.Aval(target.dtype), aval))
        if common is None or aval.dtype is None or common == target.dtype or target.weak is None:
            return
        node = call.node_of(0, "values") or call.node
        hazard = LossyScatter(target.dtype, aval.dtype, common)
        self.i.report(hazard, call.node, node, written, api=method)
