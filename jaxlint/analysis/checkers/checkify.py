"""`checkify.check` in compiled code: `checkify.checkify` has to turn it into a value, or lowering fails.

A function may be compiled here and checkified by its caller: only code that is entered from where nothing is
traced, for certain, is judged.
"""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events

_COMPILING = frozenset({
    "jit", "pjit", "pmap", "filter_jit", "scan", "while_loop", "fori_loop", "map", "cond", "switch",
})  # fmt: skip
_HARMLESS = frozenset({"checkpoint", "remat", "filter_checkpoint"})  # compile nothing by themselves


@hazard_class()
class CheckifyNotFunctionalised(Hazard):
    """`checkify.check` is compiled, and `checkify.checkify` is not around to take its error.

    Site, operand: the call of `checkify.check`; api.
    """

    compiled: int


class Checkify(Checker):
    """Checks whose error no `checkify.checkify` handles."""

    def subscribe(self, events: Events) -> None:
        events.checked.append(self.check)

    def check(self, name: str, call: Call) -> None:
        """A check; recorded where it is compiled with nothing around that takes its error."""
        compiling = None
        trace = self.i.context.trace
        outermost = trace
        while trace is not None:
            if trace.transform in _COMPILING:
                compiling = trace
            elif trace.transform not in _HARMLESS:
                return
            outermost, trace = trace, trace.outer
        if compiling is None or outermost is None or not outermost.outermost:
            return
        if "debug" not in call.keywords and not call.double_star:
            self.i.report(
                CheckifyNotFunctionalised(compiling.site),
                call.node,
                call.node,
                v.UNKNOWN,
                api=name,
                origin=self.i.context.origin,
            )
