"""Effects in the branches of a `cond` whose condition differs from element to element: `vmap` runs all branches for each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.checkers.mapped_callbacks import is_mapped
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Trace

_EFFECTS = frozenset({"jax.debug.print", "jax.debug.callback"})  # JAX refuses `io_callback` there
# Functions with branches, and the parameter that chooses between them.
_CHOOSING = {"jax.lax.cond": "pred", "jax.lax.switch": "index"}


@hazard_class(consequence=Consequence.SILENT)
class EffectInMappedBranch(Hazard):
    """An effect in a branch happens for each element. Site: the call with the effect; operand: the condition; api."""

    choice: int  # site of the `cond` or `switch`


class MappedBranches(Checker):
    """Branches under `vmap`."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Site of a call with branches -> the node and value of what chooses between them, where that is mapped.
        self.choices: dict[int, tuple[ir.Node, v.Value]] = {}

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called)

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if name in _CHOOSING:
            chosen, node = call.get(0, _CHOOSING[name]), call.node_of(0, _CHOOSING[name])
            self.choices.pop(call.site, None)
            if chosen is not None and node is not None and any(map(is_mapped, self.i.leaves([chosen]))):
                self.choices[call.site] = (node, chosen)
        elif name in _EFFECTS:
            self.effect(name, call)

    def effect(self, name: str, call: Call) -> None:
        """Something is printed or called back."""
        trace: Trace | None = self.i.context.trace
        while trace is not None:
            found = self.choices.get(trace.site)
            if found is not None:
                node, chosen = found
                self.i.report(EffectInMappedBranch(trace.site), call.node, node, chosen, api=name)
                return
            trace = trace.outer
