"""Optimisers of Optax that are given something else than what they need: gradients, a state, parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.liveness import never_read
from jaxlint.analysis.models.libraries import MAX_DEPTH, is_made, kept_by, maker_of
from jaxlint.analysis.transforms.gradients import VALUE_AND_GRAD, giving_transform
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, bindings
from jaxlint.knowledge import libraries

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

MULTI_STEPS = "optax.MultiSteps"
_WITH_AUX = frozenset({"jax.grad", "haiku.grad", "equinox.filter_grad", "flax.nnx.grad"})
_OF_NNX = frozenset({"flax.nnx.grad", "flax.nnx.value_and_grad"})


@hazard_class()
class MissingOptimiserArgument(Hazard):
    """`update` of an optimiser lacks arguments that it computes with. Site and operand: the call."""

    optimiser: str  # the function that makes the one that needs them
    missing: tuple[str, ...]


@hazard_class()
class MisplacedOptimiserArgument(Hazard):
    """A function of an optimiser is given one thing in the place of another. Site: the call; operand: the argument."""

    # "state", "gradients", "parameters"; "pair" of value and gradients, "value" of the function; "results" of `update`; "list"
    given: str
    place: str  # "gradients", "model", "state", "updates", "transformation"


@hazard_class()
class SwappedOptimiserResults(Hazard):
    """The updates are bound to the name of the state. Site: the call of `update`; operand: the name."""


@hazard_class(consequence=Consequence.SILENT)
class GradientsAsUpdates(Hazard):
    """Gradients are added to parameters in place of the updates that an optimiser made of them.

    Site: the call of `apply_updates`; operand: the gradients in it.
    """

    updates: str  # the name of the updates, which nothing reads
    made: int  # site of the call that made them


def optimiser_of(interpreter: Interpreter, func: v.Value, method: str) -> v.OpaqueInstance | None:
    """The optimiser of Optax that a method is bound to."""
    if type(func) is not v.Member or func.name != method or type(func.receiver) is not v.OpaqueInstance:
        return None
    optimiser = func.receiver
    is_multi_steps = is_made(optimiser) and optimiser.class_name == MULTI_STEPS
    return optimiser if is_multi_steps or interpreter.libraries.is_optimiser(optimiser) else None


class Optimisers(Checker):
    """What `update` and `apply_updates` are given."""

    def subscribe(self, events: Events) -> None:
        events.called.append(self.called, (v.Member,))
        events.name_called.append(self.of_wrapper, ("apply_gradients", "update"))
        events.library_function_called.append(self.of_library, ("optax.apply_updates", "optax.chain"))

    def of_library(self, name: str, _func: v.Value, call: Call) -> None:
        if name == "optax.apply_updates":
            self.applied(call)
        elif name == "optax.chain" and len(call.args) == 1 and not call.star:
            if type(self.i.contents(call.args[0])) is ListObject:
                hazard = MisplacedOptimiserArgument("list", "transformation")
                self.i.report(hazard, call.node, call.arg_nodes[0], call.args[0], api=name)

    def called(self, func: v.Value, call: Call) -> None:
        optimiser = optimiser_of(self.i, func, "update")
        if optimiser is not None:
            self.update(optimiser, call)

    def of_wrapper(self, func: v.Value, call: Call) -> None:
        """A method of what holds an optimiser: of `nnx.Optimizer`, of a `TrainState`."""
        node = call.node
        if type(node) is not ir.Call or type(node.func) is not ir.Attribute:
            return
        if node.func.attr == "update":
            is_one = len(node.args) == 2 and self.i.nnx.is_optimizer(self.i.bases.get(node.func.site))
            if is_one and giving_transform(self.i, node.args[0]) in _OF_NNX:
                self.i.report(MisplacedOptimiserArgument("gradients", "model"), node, node.args[0], call.args[0])
        else:
            method = func.function if type(func) is v.BoundMethod else None
            if type(method) is not v.FunctionValue or self.i.is_in_source(method.function.site):  # of Flax
                self.gradients(call, call.keyword_nodes.get("grads"))

    def update(self, optimiser: v.OpaqueInstance, call: Call) -> None:
        if call.star or call.double_star or self.exchanged(call):
            return
        self.gradients(call, call.node_of(0, "updates"))
        given = {name for name, value in call.keywords.items() if not v.is_none(value)}
        params = call.get(2, "params")
        if params is not None and not v.is_none(params):
            given.add("params")
        for maker, needed in self.needs(optimiser):
            missing = tuple(name for name in ("params", "value", "grad", "value_fn") if name in needed - given)
            if missing:
                self.i.report(MissingOptimiserArgument(maker, missing), call.node, call.node, v.UNKNOWN)
                return

    def exchanged(self, call: Call) -> bool:
        """Whether gradients and state have each other's places, by the name that is bound to the new state; recorded if so."""
        statement = self.i.unit.statement(call.site)
        target = statement.targets[0] if isinstance(statement, ir.Assign) and statement.value is call.node else None
        if not isinstance(target, ir.Sequence) or len(target.elements) != 2 or len(call.arg_nodes) < 2:
            return False
        updates, state = (ir.last_name(each) for each in target.elements)
        first, second = (ir.last_name(each) for each in call.arg_nodes[:2])
        if "" in (updates, state, first, second) or first == second:
            return False
        third = ir.last_name(call.arg_nodes[2]) if len(call.arg_nodes) == 3 else ""
        if state == third and state not in (first, second):
            self.i.report(MisplacedOptimiserArgument("parameters", "state"), call.node, call.arg_nodes[1], call.args[1])
            return True
        if state == first and state != second:
            self.i.report(MisplacedOptimiserArgument("state", "gradients"), call.node, call.arg_nodes[0], call.args[0])
            return True
        if updates == second and state != second and updates != first:
            self.i.report(SwappedOptimiserResults(), call.node, target.elements[0], v.UNKNOWN)
            return True
        return False

    def needs(self, optimiser: v.Value, depth: int = 0) -> Iterator[tuple[str, set[str]]]:
        """What `update` of an optimiser, and of those that it is made of, cannot do without."""
        if type(optimiser) is v.Api:
            yield optimiser.name, {name for name, lifted in libraries.needs(optimiser.name).items() if not lifted}
        if type(optimiser) is not v.OpaqueInstance or not is_made(optimiser) or depth > MAX_DEPTH:
            return
        kept, maker = kept_by(optimiser), maker_of(optimiser)
        needed = libraries.needs(maker).items()
        yield maker, {name for name, lifted in needed if not lifted or lifted.isdisjoint(kept) and "**" not in kept}
        for each in kept.values():
            for part in self.i.libraries.parts(each):
                yield from self.needs(part, depth + 1)

    def gradients(self, call: Call, node: ir.Node | None) -> None:
        """What stands in the place of the gradients."""
        given = self.not_gradients(node) if node is not None else None
        if given is not None and node is not None:
            self.i.report(MisplacedOptimiserArgument(given, "gradients"), call.node, node, v.UNKNOWN)

    def not_gradients(self, node: ir.Node) -> str | None:
        """Whether an expression is all that `value_and_grad` gives, or the value alone."""
        if type(node) is ir.Call:
            return "pair" if self.gives_pair(node) else None
        assign = binding_of(self.i.unit, node)
        if not isinstance(assign, ir.Assign) or len(assign.targets) != 1 or type(assign.value) is not ir.Call:
            return None
        target, callee = assign.targets[0], self.i.last_callee.get(assign.value.site)
        if type(target) is ir.Name:
            return "pair" if self.gives_pair(assign.value) else None
        if (
            type(target) is not ir.Sequence
            or type(callee) is not v.Transformed
            or callee.transform.name not in VALUE_AND_GRAD
        ):
            return None
        first = target.elements[0]
        is_value = (
            len(target.elements) == 2 and type(first) is ir.Name and type(node) is ir.Name and first.id == node.id
        )
        return "value" if is_value else None

    def is_no_update(self, call: Call, name: ir.Name) -> bool:
        """Whether a variable has the state that `update` gives, or both that and the updates; recorded if so."""
        assign = binding_of(self.i.unit, name)
        if not isinstance(assign, ir.Assign) or len(assign.targets) != 1 or type(assign.value) is not ir.Call:
            return False
        target = assign.targets[0]
        if self.i.libraries.updated_by(assign.value) is None:
            return False
        if type(target) is ir.Name:
            self.i.report(MisplacedOptimiserArgument("results", "updates"), call.node, name, v.UNKNOWN)
            return True
        if type(target) is not ir.Sequence or len(target.elements) != 2 or type(target.elements[1]) is not ir.Name:
            return False
        if target.elements[1].id != name.id or ir.last_name(target.elements[0]) in ("", "_"):
            return False
        self.i.report(SwappedOptimiserResults(), assign.value, target.elements[0], v.UNKNOWN)
        return True

    def gives_pair(self, node: ir.Call) -> bool:
        callee = self.i.last_callee.get(node.site)
        if type(callee) is not v.Transformed:
            return False
        aux = callee.options.get("has_aux", v.FALSE)
        has_aux = type(aux) is v.Const and bool(aux.value)
        return callee.transform.name in VALUE_AND_GRAD or (callee.transform.name in _WITH_AUX and has_aux)

    def applied(self, call: Call) -> None:
        """`apply_updates` with the gradients, where nothing reads the updates that were made of them."""
        node = call.arg_nodes[1] if len(call.args) > 1 else call.keyword_nodes.get("updates")
        if type(node) is ir.Call and self.i.libraries.updated_by(node) is not None:
            self.i.report(MisplacedOptimiserArgument("results", "updates"), call.node, node, v.UNKNOWN)
        if type(node) is not ir.Name or self.is_no_update(call, node):
            return
        scope = self.i.unit.scope(node.site)
        bound = bindings(scope, node.id)
        for statement in ir.walk(scope.body, into_scopes=False):
            made = statement.value if isinstance(statement, ir.Assign) and len(statement.targets) == 1 else None
            target = statement.targets[0] if isinstance(statement, ir.Assign) else None
            if (
                type(made) is not ir.Call
                or type(target) is not ir.Sequence
                or not made.args
                or len(target.elements) != 2
            ):
                continue
            gradients, updates = made.args[0], target.elements[0]
            callee = self.i.last_callee.get(made.site)
            if (
                type(callee) is v.Member
                and callee.name == "update"
                and self.i.libraries.is_optimiser(callee.receiver)
                and type(gradients) is ir.Name
                and gradients.id == node.id
                and type(updates) is ir.Name
                and updates.id != node.id
                and len(bound) == 1
                and never_read(scope, updates.id)
            ):
                self.i.report(GradientsAsUpdates(updates.id, made.site), call.node, node, v.UNKNOWN)
                return
