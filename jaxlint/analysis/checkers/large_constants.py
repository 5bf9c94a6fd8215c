"""Large module-level arrays that traced code reads, and that become constants of the jaxpr."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

_LARGE = 1 << 20  # elements; 4 MiB of float32
_METADATA = frozenset({"shape", "ndim", "dtype", "size", "nbytes", "itemsize", "aval", "sharding"})


@hazard_class(decided_by="elsewhere")
class LargeCapturedConstant(Hazard):
    """A large module-level array is read in traced code, and becomes a constant of the jaxpr.

    Site: the name of a large array in traced code; operand: the same.
    """

    elements: int


class LargeConstants(Checker):
    """Reports large module-level arrays that traced code captures."""

    def subscribe(self, events: Events) -> None:
        events.module_variable_read.append(self.check_read)

    def check_read(self, node: ir.Node, value: v.Value) -> None:
        """Report a read, in traced code, of a module variable that holds a large array."""
        if (
            not isinstance(value, (v.Array, v.Host))
            or self.i.context.stage != STAGED_CODE
            or self.i.context.trace is None
        ):
            return
        shape = value.aval.shape
        if value.cls is not None or not shape:
            return
        count = 1
        for size in shape:
            if not isinstance(size, int):
                return
            count *= size
        parent = self.i.unit.parent(node.site) if count >= _LARGE and node.site in self.i.unit else None
        if parent is None or (isinstance(parent, ir.Attribute) and parent.attr in _METADATA):
            return
        if isinstance(parent, ir.Call) and isinstance(parent.func, ir.Name) and parent.func.id == "len":
            return
        self.i.report(LargeCapturedConstant(count), node, node, value, origin=self.i.context.origin)
