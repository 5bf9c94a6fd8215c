"""Moving averages of parameters, such as those of target networks, which are given the old ones in place of the new."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

_AVERAGING, _REPLACING = "optax.incremental_update", "optax.periodic_update"
_MOST = 0.5  # of the new parameters in one step of an average


@hazard_class(consequence=Consequence.SILENT)
class SwappedAverage(Hazard):
    """What is averaged is given as the new parameters, and the new ones as what is averaged.

    Site: the call; operand: the first argument.
    """


class AveragedWeights(Checker):
    """Calls whose result replaces their first argument, or stands in the place of its name."""

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called, (_AVERAGING, _REPLACING))

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if type(call.node) is not ir.Call or self.i.is_in_source(call.site):
            return
        new, old = call.node_of(0, "new_tensors"), call.node_of(1, "old_tensors")
        if new is None or old is None or (name == _AVERAGING and not self.is_small(call.get(2, "step_size"))):
            return
        place = self.place(call.node)
        first, second = ir.dotted(new), ir.dotted(old)
        if place is None or first is None or second is None or first == second:
            return
        is_swapped = first == place if "." in place or place in (first, second) else first.endswith(f".{place}")
        if is_swapped and second != place and not second.endswith(f".{place}"):
            self.i.report(SwappedAverage(), call.node, new, v.UNKNOWN, api=name)

    def is_small(self, step: v.Value | None) -> bool:
        return type(step) is v.Const and isinstance(step.value, (int, float)) and 0 < step.value < _MOST

    def place(self, call: ir.Call) -> str | None:
        """What the result is bound to: a variable, an attribute, or the field of `state.replace(field=…)`."""
        around = self.i.unit.parent(call.site)
        if isinstance(around, ir.Keyword):
            return around.name
        statement = self.i.unit.statement(call.site)
        if isinstance(statement, ir.Assign) and statement.value is call and len(statement.targets) == 1:
            return ir.dotted(statement.targets[0])
        return None
