"""Learning rates that are one value of a schedule, which no step changes."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.models.libraries import maker_of
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved
from jaxlint.knowledge.optimisers import SCHEDULES, STEPPING


@hazard_class(consequence=Consequence.SILENT)
class FixedLearningRate(Hazard):
    """An optimiser is given what a schedule says of one step. Site: the call of the schedule; operand: the schedule in it."""

    optimiser: str  # the function that makes it


class StepSizes(Checker):
    """What optimisers of Optax step by."""

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called, STEPPING)

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if self.i.is_in_source(call.site):
            return
        node = call.node_of(0, "learning_rate")
        rate = resolved(self.i.unit, node) if node is not None else None
        if type(rate) is not ir.Call or rate.keywords or len(rate.args) != 1:
            return
        schedule = self.i.last_callee.get(rate.site)
        step = resolved(self.i.unit, rate.args[0])
        if maker_of(schedule) in SCHEDULES and type(step) is ir.Constant and isinstance(step.value, int):
            self.i.report(FixedLearningRate(name), rate, rate.func, schedule or v.UNKNOWN, api=name)
