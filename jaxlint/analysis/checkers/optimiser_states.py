"""States of optimisers that a loop never replaces: what the optimiser remembers of its steps is lost in each pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Consequence, Hazard
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.liveness import never_read
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by

_APPLYING = frozenset({"optax.apply_updates", "equinox.apply_updates"})


@dataclass(eq=False, repr=False)
class OptimiserStateLost(Hazard):
    """An optimiser is given the same state in each pass of a loop. Site: the call of `update`; operand: the state in the loop."""

    consequence = Consequence.SILENT

    loop: int
    optimiser: str  # the function that makes it


class OptimiserStates(Checker):
    """States of optimisers in training loops."""

    def subscribe(self, events: Events) -> None:
        events.loop_ended.append(self.ended)

    def ended(self, loop: ir.For | ir.While) -> None:
        nodes = list(ir.walk(loop.body, into_scopes=False))
        bound = [name for node in nodes for name in bound_by(node)]
        for statement in nodes:
            if not isinstance(statement, ir.Assign) or not isinstance(statement.value, ir.Call):
                continue
            for update, state, params in self.updates(statement, statement.value, nodes):
                is_kept = type(state) is not ir.Name or state.id in bound or self.is_shared(loop, state.id)
                if is_kept or bound.count(params) != 1:
                    continue
                optimiser = self.optimiser(update)
                if optimiser is not None:
                    self.i.report(OptimiserStateLost(loop.site, optimiser), update, state, v.UNKNOWN)

    def updates(
        self, statement: ir.Assign, call: ir.Call, nodes: list[ir.Node]
    ) -> Iterator[tuple[ir.Call, ir.Node, str]]:
        """Calls of `update` whose state is lost: with the state, and the name of the parameters, in the loop."""
        if self.loses_state(statement, self.i.unit.scope(call.site)):
            for each in nodes:
                name = self.applied(each)
                if name is not None and name.id in _targets(self.i.unit.statement(each.site)):
                    yield call, call.args[1], name.id
        function = v.untransformed(self.i.last_callee.get(call.site) or v.UNKNOWN)
        if type(function) is not v.FunctionValue or any(type(arg) is ir.Starred for arg in call.args):
            return
        parameters = [parameter.name for parameter in function.function.parameters]
        passed = {**dict(zip(parameters, call.args)), **{each.name: each.value for each in call.keywords if each.name}}
        inside = list(ir.walk(function.function.body, into_scopes=False))
        rebound = {name for node in inside for name in bound_by(node)}
        params = [passed.get(given.id) for given in map(self.applied, inside) if given is not None]
        for each in inside:
            update = each.value if isinstance(each, ir.Assign) and self.loses_state(each, function.function) else None
            state = update.args[1] if isinstance(update, ir.Call) else None
            if not isinstance(update, ir.Call) or not isinstance(state, ir.Name) or state.id in rebound:
                continue
            for given in params:
                if state.id in passed and isinstance(given, ir.Name) and given.id in _targets(statement):
                    yield update, passed[state.id], given.id

    def loses_state(self, statement: ir.Assign, scope: ir.Scope) -> bool:
        """Whether this is `updates, _ = optimiser.update(gradients, state)`, and nothing reads the new state."""
        call, target = statement.value, statement.targets[0]
        if not isinstance(call, ir.Call) or not isinstance(call.func, ir.Attribute) or call.func.attr != "update":
            return False
        if len(statement.targets) != 1 or not isinstance(target, ir.Sequence) or len(call.args) < 2:
            return False
        names = target.elements
        return len(names) == 2 and type(names[1]) is ir.Name and never_read(scope, names[1].id)

    def applied(self, node: ir.Node) -> ir.Name | None:
        """The parameters that updates are applied to by a call."""
        if type(node) is not ir.Call or self.i.library_name(self.i.last_callee.get(node.site)) not in _APPLYING:
            return None
        by_name = (each.value for each in node.keywords if each.name in ("params", "model"))
        given = node.args[0] if node.args else next(by_name, None)
        return given if type(given) is ir.Name else None

    def optimiser(self, update: ir.Call) -> str | None:
        """The function that made an optimiser which remembers its steps; None for any other object."""
        base = self.i.bases.get(update.func.site)
        return self.i.libraries.remembers(base) if base is not None else None

    def is_shared(self, loop: ir.For | ir.While, name: str) -> bool:
        """Whether a function inside of the scope may bind the variable."""
        scope = self.i.unit.scope(loop.site)
        return any(
            isinstance(node, ir.Function) and name in node.nonlocals | node.globals for node in ir.walk(scope.body)
        )


def _targets(statement: ir.Statement) -> set[str]:
    return bound_by(statement) if type(statement) is ir.Assign else set()
