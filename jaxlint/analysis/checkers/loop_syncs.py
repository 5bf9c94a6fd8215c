"""Loops that call a compiled function and wait for its result in each pass, so that host and device take turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_COMPILED = frozenset({"jax.jit", "jax.pmap", "equinox.filter_jit", "flax.nnx.jit"})
_FUNCTIONS = frozenset({"builtins.float", "builtins.int", "numpy.asarray", "numpy.array", "jax.device_get"})
_METHODS = frozenset({"item", "tolist"})


@hazard_class(consequence=Consequence.SILENT)
class HostSyncInLoop(Hazard):
    """A loop waits for the result of a compiled function in each pass, so that host and device take turns.

    Site: the call that fetches a value in each pass of a loop; operand: the array; api.
    """


class LoopSyncs(Checker):
    """Loops that wait for the device in each pass."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.inside: dict[int, list[ir.Node]] = {}  # site of a loop -> the calls and assignments in its body

    def subscribe(self, events: Events) -> None:
        events.loop_ended.append(self.passed)

    def passed(self, loop: ir.For | ir.While) -> None:
        """A loop of Python was run."""
        context = self.i.context
        if self.i.silent or context.origin is not None or context.stage == STAGED_CODE or context.transparent:
            return
        if loop.site not in self.inside:
            self.inside[loop.site] = [
                n for n in ir.walk(loop.body, into_scopes=False) if type(n) in (ir.Call, ir.Assign)
            ]
        inside = self.inside[loop.site]
        steps = [node for node in inside if type(node) is ir.Call and self.is_step(node)]
        if not steps:
            return
        made = {name for node in inside for name in self.bound(node, steps)}
        for node in inside:
            operand = self.fetched(node) if type(node) is ir.Call else None
            if operand is None or not self.in_each_pass(node, loop):
                continue
            root = operand
            while isinstance(root, (ir.Subscript, ir.Attribute)):
                root = root.value
            if root in steps or (type(root) is ir.Name and root.id in made):
                self.i.report(HostSyncInLoop(), node, operand, v.UNKNOWN, api=_name(self.i.last_callee[node.site]))

    def is_step(self, call: ir.Call) -> bool:
        callee = self.i.last_callee.get(call.site)
        return type(callee) is v.Transformed and callee.transform.name in _COMPILED

    def bound(self, statement: ir.Node, steps: list[ir.Call]) -> Iterator[str]:
        """Names that a statement gives to what a compiled function returned."""
        if type(statement) is ir.Assign and any(statement.value is step for step in steps):
            for target in statement.targets:
                yield from (node.id for node in ir.walk([target], into_scopes=False) if isinstance(node, ir.Name))

    def fetched(self, call: ir.Call) -> ir.Node | None:
        """The array whose values a call fetches."""
        callee, given = self.i.last_callee.get(call.site), self.i.last_calls.get(call.site)
        if type(callee) is v.Member and callee.name in _METHODS and type(call.func) is ir.Attribute:
            return call.func.value if type(callee.receiver) is v.Array else None
        if type(callee) is v.Api and callee.name in _FUNCTIONS and given is not None and len(given.args) == 1:
            return given.arg_nodes[0] if any(type(leaf) is v.Array for leaf in self.i.leaves(given.args)) else None
        return None

    def in_each_pass(self, node: ir.Node, loop: ir.For | ir.While) -> bool:
        """Whether a node is evaluated in each pass, and decides nothing in it."""
        for around in self.i.unit.ancestors(node.site):
            if around is loop:
                return True
            if type(around) not in (ir.With, ir.WithItem) and isinstance(
                around, (ir.If, ir.Try, ir.While, ir.For, ir.Scope)
            ):
                return False
            if isinstance(around, (ir.Conditional, ir.Boolean, ir.Compare, ir.Assert)):
                return False
        return False


def _name(callee: v.Value) -> str:
    return callee.name if type(callee) is v.Api else f".{callee.name}"  # type: ignore[attr-defined]
