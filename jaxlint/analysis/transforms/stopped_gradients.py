"""`stop_gradient` of what a module stores when it is made: no derivative is taken there, and the array is trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_STOP = "jax.lax.stop_gradient"
_MAKING = frozenset({"__init__", "__post_init__"})
# Variables of NNX that are trained, which hold what they are given.
_PARAMETERS = frozenset({"flax.nnx.Param"})


@hazard_class(consequence=Consequence.SILENT, of_any_value=True)
class StopGradientWhenMade(Hazard):
    """A module stores what `stop_gradient` gives. Site: its call; operand: the target of the store."""

    attribute: str
    family: str  # "equinox" or "nnx"


class StoppedGradients(Checker):
    """Attributes that are set while a module is made."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.inside: set[int] = set()  # sites of classes whose modules are made in transforms, too

    def subscribe(self, events: Events) -> None:
        events.attribute_stored.append(self.stored)

    def stored(self, target: ir.Node, base: v.Value, attr: str, value: v.Value, source: ir.Node, op: str) -> None:
        """An attribute is set."""
        contents = self.i.contents(base)
        if type(contents) is not Instance or contents.cls.family not in ("equinox", "nnx"):
            return
        if getattr(self.i.frame.scope, "name", "") not in _MAKING:
            return
        if self.i.context.level is not None:
            self.i.found.pop((StopGradientWhenMade, source.site), None)
            self.inside.add(contents.cls.definition.site)
        if contents.cls.definition.site in self.inside:
            return
        if contents.cls.family == "nnx":
            if type(source) is not ir.Call or self.name(source) not in _PARAMETERS or not source.args:
                return  # arrays that are no parameters are left alone by derivatives
            source = source.args[0]
        elif self.is_static(contents.cls, attr):
            return
        if self.name(source) == _STOP:
            self.i.report(StopGradientWhenMade(attr, contents.cls.family), source, target, value)

    def name(self, node: ir.Node) -> str:
        """The function of a library that an expression calls; empty for any other."""
        callee = self.i.last_callee.get(node.site) if type(node) is ir.Call else None
        return callee.name if type(callee) is v.Api else ""

    def is_static(self, cls: v.ClassValue, attr: str) -> bool:
        static = self.i.pytrees.static_fields(cls)
        return static is None or attr in static
