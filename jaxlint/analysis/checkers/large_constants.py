"""Large arrays from outside of traced code, which become part of the program."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

_LARGE = 1 << 20  # elements: some megabytes
_FACTS = frozenset({"shape", "ndim", "dtype", "size", "nbytes", "itemsize", "aval", "sharding"})


@hazard_class(decided_by="elsewhere")
class LargeCapturedConstant(Hazard):
    """A large array of the module is read in traced code, and becomes a constant of the program.

    Site: the name of a large array in traced code; operand: the same.
    """

    elements: int


class LargeConstants(Checker):
    """Large arrays that become part of the program."""

    def subscribe(self, events: Events) -> None:
        events.module_variable_read.append(self.read)

    def read(self, node: ir.Node, value: v.Value) -> None:
        """Note a variable of the module, read in traced code, that holds a large array."""
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
        above = self.i.unit.parent(node.site) if count >= _LARGE and node.site in self.i.unit else None
        if above is None or (isinstance(above, ir.Attribute) and above.attr in _FACTS):
            return
        if isinstance(above, ir.Call) and isinstance(above.func, ir.Name) and above.func.id == "len":
            return
        self.i.report(LargeCapturedConstant(count), node, node, value, origin=self.i.context.origin)
