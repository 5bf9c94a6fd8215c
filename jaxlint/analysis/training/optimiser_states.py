"""States that a training loop never replaces: what an optimiser remembers of its steps, or a model of its batches, is lost."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.liveness import never_read, unread
from jaxlint.analysis.models.training_modes import is_differentiated
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by, only_result, target_names

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

Block = ir.For | ir.While | ir.Function

APPLYING = frozenset({"optax.apply_updates", "equinox.apply_updates"})
_WITH_AUX = frozenset({"jax.grad", "jax.value_and_grad"})


@hazard_class(consequence=Consequence.SILENT)
class OptimiserStateLost(Hazard):
    """An optimiser is given the same state in each pass of a loop. Site: the call of `update`; operand: the state in the loop."""

    loop: int
    optimiser: str  # the function that makes it


@hazard_class(consequence=Consequence.SILENT)
class OptimiserStateAnew(Hazard):
    """Each pass of a loop initialises an optimiser for one update. Site: the call of `init`; operand: that of `update`."""

    loop: int
    optimiser: str  # the function that makes it


@hazard_class(consequence=Consequence.SILENT)
class StateDiscarded(Hazard):
    """A new state is thrown away. Site: the call that gives it; operand: the name that takes it, or the call."""

    state: str  # the state that is used instead
    made: int  # site of what makes the new one


class Body(NamedTuple):
    """What is in the body of a loop or function."""

    nodes: list[ir.Node]  # of functions in it, none but the definitions
    bound: list[str]  # the names that these bind, once for each binding
    calls: list[ir.Call]  # those of functions in it, too


class OptimiserStates(Checker):
    """States of optimisers and models in training loops."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.bodies: dict[int, Body] = {}  # by site of the loop or function

    def body(self, block: Block) -> Body:
        if block.site not in self.bodies:
            nodes = list(ir.walk(block.body, into_scopes=False))
            calls = [node for node in ir.walk(block.body) if type(node) is ir.Call]
            self.bodies[block.site] = Body(nodes, [name for node in nodes for name in bound_by(node)], calls)
        return self.bodies[block.site]

    def subscribe(self, events: Events) -> None:
        events.loop_ended.append(self.ended)
        events.name_stored.append(self.stored)

    def stored(self, target: ir.Name, value: v.Value, source: ir.Node, op: str) -> None:
        """`(loss, _), grads = value_and_grad(loss_fn, has_aux=True)(…)`, where the second of the pair is what `apply` changed.

        It may be one of several things: `(loss, (_, accuracy)), grads`.
        """
        around = self.i.unit.parent(target.site)
        if not isinstance(around, ir.Sequence):
            return
        statement = self.i.unit.statement(target.site)
        call = statement.value if isinstance(statement, ir.Assign) and len(statement.targets) == 1 else None
        callee = self.i.last_callee.get(call.site) if type(call) is ir.Call else None
        if type(call) is ir.Call and isinstance(statement, ir.Assign) and around is statement.targets[0]:
            self.dropped(call, around, target)
            self.statistics(call, around, target)
            self.unread(call, around, target)
        if type(call) is not ir.Call or type(callee) is not v.Transformed or callee.transform.name not in _WITH_AUX:
            return
        aux = callee.options.get("has_aux")
        pair = statement.targets[0] if isinstance(statement, ir.Assign) else None
        if callee.transform.name.endswith("value_and_grad") and isinstance(pair, ir.Sequence) and pair.elements:
            pair = pair.elements[0]
        if type(aux) is not v.Const or aux.value is not True or not isinstance(pair, ir.Sequence):
            return
        function = v.untransformed(callee.function)
        if type(function) is not v.FunctionValue or len(pair.elements) != 2:
            return
        second = pair.elements[1]
        if second is not target and second is not around:
            return
        changed = self.changed_by_apply(function.function, around.elements if second is around else (), target)
        if changed is not None and never_read(self.i.unit.scope(target.site), target.id):
            self.i.report(StateDiscarded(changed[0], changed[1].site), call, target, v.UNKNOWN)

    def dropped(self, call: ir.Call, targets: ir.Sequence, lost: ir.Name) -> None:
        """`self.params, _, loss = self.step(self.params, self.state, x)`, where `step` returns a new `state` in the second place."""
        function = v.untransformed(self.i.last_callee.get(call.site) or v.UNKNOWN)
        first = 0
        if isinstance(function, v.BoundMethod):
            function, first = function.function, 1  # the call does not pass `self`
        returned = _returned(function.function) if type(function) is v.FunctionValue else None
        if type(function) is not v.FunctionValue or returned is None or len(returned.elements) != len(targets.elements):
            return
        plain = itertools.takewhile(lambda each: not isinstance(each, ir.Starred), call.args)
        passed = dict(zip([each.name for each in function.function.parameters[first:]], plain))
        stored = {ir.dotted(each) for each in targets.elements if isinstance(each, ir.Attribute)}
        new = returned.elements[next(n for n, each in enumerate(targets.elements) if each is lost)]
        given = passed.get(new.id) if isinstance(new, ir.Name) else None
        if not isinstance(given, ir.Attribute) or ir.dotted(given) in stored or not isinstance(new, ir.Name):
            return
        made = bindings(function.function, new.id)
        carried = stored & {ir.dotted(each) for each in passed.values()} - {None}
        if made and carried and never_read(self.i.unit.scope(call.site), lost.id):
            self.i.report(StateDiscarded(ir.dotted(given) or "", made[-1].site), call, lost, v.UNKNOWN)

    def unread(self, call: ir.Call, targets: ir.Sequence, lost: ir.Name) -> None:
        """`updates, opt_state = optimiser.update(grads, self.opt_state)` in a function that applies the updates and loses the state."""
        if targets.elements[-1] is not lost or len(targets.elements) != 2 or len(call.args) < 2:
            return
        given, scope, updates = call.args[1], self.i.unit.scope(call.site), targets.elements[0]
        optimiser = self.optimiser(call) if isinstance(call.func, ir.Attribute) and call.func.attr == "update" else None
        if optimiser is None or not isinstance(scope, ir.Function) or not isinstance(updates, ir.Name):
            return
        if any(isinstance(each, ir.Name) and each.id == lost.id for each in call.args[2:]):
            return  # the arguments have each other's places
        assert isinstance(call.func, ir.Attribute)
        statement = self.i.unit.statement(call.site)
        if not self.outlives(given, scope, statement) or not unread(self.i.unit, statement, lost.id):
            return
        called = (ir.dotted(each.func) for each in self.body(scope).calls)  # some of them later on
        if any(dotted and self.i.library_name(self.i.named(dotted)) in APPLYING for dotted in called):
            self.i.report(StateDiscarded(ir.dotted(given) or "", call.func.site), call, lost, v.UNKNOWN)

    def outlives(self, state: ir.Node, scope: ir.Function, statement: ir.Node) -> bool:
        """Whether a state is that of an object, or a part of an argument: a function that makes a state may well let go of it."""
        root = state
        while isinstance(root, ir.Attribute):
            root = root.value
        parameters = {each.name for each in scope.parameters}
        if not isinstance(root, ir.Name):
            return False
        taken = [each for each in bindings(scope, root.id) if each is not statement]
        if not taken:
            return root.id in parameters
        whole = taken[0].value if len(taken) == 1 and isinstance(taken[0], ir.Assign) else None
        return isinstance(whole, ir.Name) and whole.id in parameters  # `params, opt_state = carry`

    def statistics(self, call: ir.Call, targets: ir.Sequence, lost: ir.Name) -> None:
        """`y, _ = model.apply(…, mutable=["batch_stats"])` where a derivative is taken, if the file keeps no new statistics at all."""
        if not _asks_for_statistics(call) or targets.elements[-1] is not lost or not is_differentiated(self.i):
            return
        module = self.i.unit.module_of(call.site)
        calls = [each for each in ir.walk([module]) if isinstance(each, ir.Call) and _asks_for_statistics(each)]
        if all(map(self.loses_statistics, calls)):
            self.i.report(StateDiscarded("batch_stats", call.site), call, lost, v.UNKNOWN)

    def loses_statistics(self, call: ir.Call) -> bool:
        """Whether what `apply` has changed is bound to a name that nothing reads."""
        statement = self.i.unit.parent(call.site)
        target = statement.targets[0] if isinstance(statement, ir.Assign) and len(statement.targets) == 1 else None
        last = target.elements[-1] if isinstance(target, ir.Sequence) and len(target.elements) == 2 else None
        return isinstance(last, ir.Name) and never_read(self.i.unit.scope(call.site), last.id)

    def changed_by_apply(
        self, function: ir.Function, parts: Sequence[ir.Node], part: ir.Node
    ) -> tuple[str, ir.Node] | None:
        """The second of the pair that a function returns, where that is what `apply` has changed of a model; and the call.

        ``parts``: what takes it, where that is a tuple, and of which only ``part`` is asked for.
        """
        returned = _returned(function)
        given: ir.Node | None = returned.elements[1] if returned is not None and len(returned.elements) == 2 else None
        if parts:
            given = next((each for each, to in zip(_elements(given, len(parts)), parts) if to is part), None)
        root = given.value if isinstance(given, ir.Subscript) else given
        found = bindings(function, root.id) if isinstance(root, ir.Name) else []
        assign = found[0] if len(found) == 1 else None
        if not isinstance(assign, ir.Assign) or not isinstance(assign.value, ir.Call) or not isinstance(root, ir.Name):
            return None
        target = assign.targets[0]
        parts = target.elements if isinstance(target, ir.Sequence) else ()
        takes_it = len(parts) == 2 and root.id in set(target_names(parts[1]))
        mutable = next((each.value for each in assign.value.keywords if each.name == "mutable"), None)
        if not takes_it or mutable is None or (isinstance(mutable, ir.Constant) and mutable.value is False):
            return None
        return root.id, assign.value

    def thrown_away(self, loop: ir.For | ir.While, statement: ir.Assign, call: ir.Call, bound: list[str]) -> None:
        """`params, _, loss = step(params, state, x)` in a loop, where `step` returns a new `state` in the second place."""
        function, target = v.untransformed(self.i.last_callee.get(call.site) or v.UNKNOWN), statement.targets[0]
        if type(function) is not v.FunctionValue or not isinstance(target, ir.Sequence) or len(statement.targets) != 1:
            return
        returned, passed = _returned(function.function), ir.passed(function.function, call)
        carried = {each.id for each in passed.values() if isinstance(each, ir.Name)} & set(target_names(target))
        if returned is None or len(returned.elements) != len(target.elements) or not carried:
            return
        for lost, new in zip(target.elements, returned.elements):
            if not isinstance(lost, ir.Name) or not isinstance(new, ir.Name):
                continue
            given = passed.get(new.id) or passed.get(self.before(function.function, new.id))
            if not isinstance(given, ir.Name):
                continue
            value = self.i.last_calls[call.site].args[call.args.index(given)] if given in call.args else v.UNKNOWN
            made = bindings(function.function, new.id)
            if not made or given.id in bound or self.is_shared(loop, given.id) or self.i.aval_of(value).dtype in v.KEYS:
                continue
            if never_read(self.i.unit.scope(call.site), lost.id):
                self.i.report(StateDiscarded(given.id, made[-1].site), call, lost, v.UNKNOWN)

    def before(self, function: ir.Function, name: str) -> str:
        """The name of the state that `update` of an optimiser is given for the new one: `updates, name = optimiser.update(…)`."""
        made = bindings(function, name)
        assign = made[0] if len(made) == 1 else None
        call = assign.value if isinstance(assign, ir.Assign) and len(assign.targets) == 1 else None
        target = assign.targets[0] if isinstance(assign, ir.Assign) else None
        if type(call) is not ir.Call or len(call.args) < 2 or not isinstance(target, ir.Sequence):
            return ""
        is_new = isinstance(target.elements[-1], ir.Name) and target.elements[-1].id == name
        given = call.args[1]
        return given.id if is_new and isinstance(given, ir.Name) and self.optimiser(call) is not None else ""

    def ended(self, loop: ir.For | ir.While) -> None:
        bound = self.body(loop).bound
        self.anew(loop, loop, set(bound))
        for statement in self.body(loop).nodes:
            if not isinstance(statement, ir.Assign) or not isinstance(statement.value, ir.Call):
                continue
            self.thrown_away(loop, statement, statement.value, bound)
            function = v.untransformed(self.i.last_callee.get(statement.value.site) or v.UNKNOWN)
            if type(function) is v.FunctionValue:
                passed = ir.passed(function.function, statement.value)
                replaced = {
                    name
                    for name, given in passed.items()
                    if isinstance(given, ir.Name) and given.id in _targets(statement)
                }
                self.anew(loop, function.function, replaced)
            for update, state, params in self.updates(loop, statement, statement.value):
                is_kept = type(state) is not ir.Name or self.is_shared(loop, state.id)
                if isinstance(state, ir.Name) and state.id in bound:
                    is_kept = bound.count(state.id) > 1 or not self.comes_back(statement, state)
                if is_kept or bound.count(params) != 1:
                    continue
                optimiser = self.optimiser(update)
                if optimiser is not None:
                    self.i.report(OptimiserStateLost(loop.site, optimiser), update, state, v.UNKNOWN)

    def anew(self, loop: ir.For | ir.While, block: Block, replaced: set[str]) -> None:
        """`state = optimiser.init(params)` and one update in a block that a loop runs, which replaces the parameters."""
        made: dict[str, ir.Call] = {}
        inside = self.body(block).calls
        if not replaced & {given.id for given in map(self.applied, inside) if given is not None}:
            return
        if sum(isinstance(each.func, ir.Attribute) and each.func.attr == "update" for each in inside) != 1:
            return  # the state is of use to the next update
        for statement in block.body:
            call = statement.value if isinstance(statement, ir.Assign) else None
            if type(call) is not ir.Call or not isinstance(call.func, ir.Attribute):
                continue
            if call.func.attr == "init":
                made.update(dict.fromkeys(_targets(statement), call))
            state = call.args[1] if call.func.attr == "update" and len(call.args) > 1 else None
            if not isinstance(state, ir.Name) or state.id not in made or state.id not in _targets(statement):
                continue  # a state that nobody keeps may be meant to be lost
            optimiser = self.optimiser(call)
            if optimiser is not None:
                self.i.report(OptimiserStateAnew(loop.site, optimiser), made[state.id], call, v.UNKNOWN)

    def updates(
        self, loop: ir.For | ir.While, statement: ir.Assign, call: ir.Call
    ) -> Iterator[tuple[ir.Call, ir.Node, str]]:
        """Calls of `update` whose state is lost: with the state, and the name of the parameters, in the loop."""
        if self.loses_state(statement, self.i.unit.scope(call.site)):
            for each in self.body(loop).nodes:
                name = self.applied(each)
                if name is not None and name.id in _targets(self.i.unit.statement(each.site)):
                    yield call, call.args[1], name.id
        function = v.untransformed(self.i.last_callee.get(call.site) or v.UNKNOWN)
        if type(function) is not v.FunctionValue:
            return
        passed = ir.passed(function.function, call)
        inside, rebound, _ = self.body(function.function)
        params = [passed.get(given.id) for given in map(self.applied, inside) if given is not None]
        for each in inside:
            update = each.value if isinstance(each, ir.Assign) and self.loses_state(each, function.function) else None
            state = update.args[1] if isinstance(update, ir.Call) else None
            if not isinstance(update, ir.Call) or not isinstance(state, ir.Name) or state.id in rebound:
                continue
            for given in params:
                if state.id in passed and isinstance(given, ir.Name) and given.id in _targets(statement):
                    yield update, passed[state.id], given.id

    def comes_back(self, statement: ir.Assign, state: ir.Name) -> bool:
        """Whether the variable is bound to the very state that the call was given: the function returns its parameter."""
        call, target = statement.value, statement.targets[0]
        function = v.untransformed(self.i.last_callee.get(call.site) or v.UNKNOWN)
        if (
            type(function) is not v.FunctionValue
            or not isinstance(call, ir.Call)
            or not isinstance(target, ir.Sequence)
        ):
            return False
        returned, passed = _returned(function.function), ir.passed(function.function, call)
        if returned is None or len(returned.elements) != len(target.elements):
            return False
        return any(
            isinstance(new, ir.Name) and passed.get(new.id) is state and not bindings(function.function, new.id)
            for name, new in zip(target.elements, returned.elements)
            if isinstance(name, ir.Name) and name.id == state.id
        )

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
        if type(node) is not ir.Call or self.i.library_name(self.i.last_callee.get(node.site)) not in APPLYING:
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


def _elements(node: ir.Node | None, count: int) -> Sequence[ir.Node]:
    """The elements of a tuple that is written out, and has so many."""
    return node.elements if isinstance(node, ir.Sequence) and len(node.elements) == count else ()


def _returned(function: ir.Function) -> ir.Sequence | None:
    """The tuple that a function returns, where it returns once."""
    value = only_result(function)
    return value if isinstance(value, ir.Sequence) else None


def _targets(statement: ir.Statement) -> set[str]:
    return bound_by(statement) if type(statement) is ir.Assign else set()


def _asks_for_statistics(call: ir.Call) -> bool:
    """Whether a call of `apply` is to give new statistics of batches."""
    if ir.last_part(call.func) not in ("apply", "apply_fn"):
        return False
    mutable = next((each.value for each in call.keywords if each.name == "mutable"), None)
    parts = mutable.elements if isinstance(mutable, ir.Sequence) else (mutable,)
    return any(isinstance(each, ir.Constant) and each.value == "batch_stats" for each in parts)
