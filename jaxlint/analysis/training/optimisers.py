"""Optimisers of Optax that are given something else than what they need: gradients, a state, parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.liveness import never_read
from jaxlint.analysis.models.libraries import MAX_DEPTH, is_made, kept_by, maker_of
from jaxlint.analysis.transforms.gradients import VALUE_AND_GRAD, giving_transform
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, bindings
from jaxlint.knowledge import libraries

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_MULTI_STEPS = "optax.MultiSteps"
# Those whose update fails where a number of their state has no gradient but None; the others leave it out.
_MATCHING = frozenset("adadelta adagrad adam adamw adan lamb lion nadam nadamw optimistic_adam rprop rss yogi".split())
_FILTERED = frozenset({"equinox.filter_grad", "equinox.filter_value_and_grad"})
_LABELLED = frozenset({"optax.multi_transform", "optax.partition"})
_WITH_AUX = frozenset({"jax.grad", "haiku.grad", "equinox.filter_grad", "flax.nnx.grad"})

_OF_NNX = frozenset({"flax.nnx.grad", "flax.nnx.value_and_grad"})
_APPLYING = "optax.apply_updates"
_MAPPING = "jax.tree.map"
# Functions that refuse a function as their first argument, and in the place of any other array.
_REFUSING = frozenset(
    f"jax.numpy.{each}"
    for each in (
        "abs", "add", "all", "any", "array", "asarray", "clip", "copy", "divide", "exp", "isfinite", "isnan", "log", "max",
        "mean", "min", "multiply", "negative", "ones_like", "sqrt", "square", "std", "subtract", "sum", "zeros_like",
    )
) | {"jax.numpy.linalg.norm"}  # fmt: skip
_ARITHMETIC = frozenset("+ - * / ** // % @".split())


@hazard_class()
class OptimiserMisuse(Hazard):
    """An optimiser lacks an argument, or is given another than it takes. Site: the call; operand: the call, or the argument."""

    # "missing"; "functions", "numbers": a tree that holds some; "pair": of value and gradient; "value": of the function; "part":
    # gradients of a part of the tree that it was made for; "list": of optimisers that are to be chained; "state": what is given for gradients, "model": gradients in the place of the model, "order": parameters in the place of the state, and
    # "results": what is bound to the name of the state; "label": one of no transformation; "both": the pair of
    # updates and state, that is applied; "applied", "mapped": functions are computed with
    how: str
    optimiser: str = ""  # the function that makes it
    missing: tuple[str, ...] = ()
    made: int | None = None  # site of the call that made its state


@hazard_class(consequence=Consequence.SILENT)
class GradientsAsUpdates(Hazard):
    """Gradients are added to parameters in place of the updates that an optimiser made of them.

    Site: the call of `apply_updates`; operand: the gradients in it.
    """

    updates: str  # the name of the updates, which nothing reads
    made: int  # site of the call that made them


class Optimisers(Checker):
    """What `init`, `update` and `apply_updates` are given."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Optimiser -> what its states were made for, each with the call that made it.
        self.trees: dict[v.Ident, dict[v.Ident, int]] = self.i.per_module({})
        # Optimiser -> what made it, and the call of `init` that was given a module with numbers, its argument and the value of that.
        self.numbered: dict[v.Ident, tuple[str, ir.Node, ir.Node, v.Value]] = self.i.per_module({})

    def subscribe(self, events: Events) -> None:
        events.called.append(self.called)
        events.library_function_called.append(self.of_library)

    def of_library(self, name: str, _func: v.Value, call: Call) -> None:
        if name == "optax.apply_updates":
            self.applied(call)
        elif name == "optax.chain" and len(call.args) == 1 and not call.star:
            if type(self.i.contents(call.args[0])) is ListObject:
                self.i.report(OptimiserMisuse("list"), call.node, call.arg_nodes[0], call.args[0], api=name)
        elif name in _LABELLED:
            self.labelled(call)

    def called(self, func: v.Value, call: Call) -> None:
        node = call.node
        if type(func) is v.Member and func.name in ("init", "update") and type(func.receiver) is v.OpaqueInstance:
            optimiser = func.receiver
            if self.i.libraries.is_optimiser(optimiser) or (
                is_made(optimiser) and optimiser.class_name == _MULTI_STEPS
            ):
                self.init(optimiser, call) if func.name == "init" else self.update(optimiser, call)
        elif type(node) is ir.Call and type(node.func) is ir.Attribute and node.func.attr == "update":
            is_one = len(node.args) == 2 and self.i.nnx.is_optimizer(self.i.bases.get(node.func.site))
            if is_one and giving_transform(self.i, node.args[0]) in _OF_NNX:
                self.i.report(OptimiserMisuse("model"), node, node.args[0], call.args[0])
        elif type(node) is ir.Call and type(node.func) is ir.Attribute and node.func.attr == "apply_gradients":
            method = func.function if type(func) is v.BoundMethod else None
            if type(method) is not v.FunctionValue or self.i.is_in_source(method.function.site):  # of Flax
                self.gradients(call, call.keyword_nodes.get("grads"))

    def labelled(self, call: Call) -> None:
        """The labels of a tree name the transformations in a dict."""
        known = self.i.contents(call.get(0, "transforms") or v.NONE)
        labels, node = call.get(1, "param_labels"), call.node_of(1, "param_labels")
        if type(known) is not DictObject or known.rest is not None or labels is None or node is None:
            return
        for leaf in self.i.leaves([labels]) if type(self.i.contents(labels)) is DictObject else ():
            if type(leaf) is v.Const and isinstance(leaf.value, str) and leaf.value not in known.items:
                self.i.report(OptimiserMisuse("label", leaf.value), call.node, node, labels)
                return

    def init(self, optimiser: v.OpaqueInstance, call: Call) -> None:
        """Most optimisers make zeros like each leaf of the parameters, and there are none like a function."""
        params, maker = call.get(0, "params"), self.i.libraries.remembers(optimiser)
        if params is not None and maker is not None and params.ident is not None and optimiser.ident is not None:
            self.trees.setdefault(optimiser.ident, {})[params.ident] = call.site
        if params is None or maker is None:
            return
        node = call.arg_nodes[0] if call.args else call.keyword_nodes["params"]
        if self.i.equinox.holds_function(params):
            self.i.report(OptimiserMisuse("functions", maker), call.node, node, params)
        elif maker.removeprefix("optax.").removeprefix("scale_by_") in _MATCHING and optimiser.ident is not None:
            self.numbered.pop(optimiser.ident, None)
            if self.i.equinox.holds_number(params) and call.site in self.i.unit:
                self.numbered[optimiser.ident] = (maker, call.node, node, params)

    def are_filtered(self, node: ir.Node) -> bool:
        """Whether an expression is gradients that Equinox takes of a module, or is bound to them by one assignment."""
        return giving_transform(self.i, node) in _FILTERED

    def update(self, optimiser: v.OpaqueInstance, call: Call) -> None:
        if call.star or call.double_star or self.exchanged(call):
            return
        self.gradients(call, call.arg_nodes[0] if call.args else call.keyword_nodes.get("updates"))
        numbered = self.numbered.get(optimiser.ident or ())
        if numbered is not None and call.args and self.are_filtered(call.arg_nodes[0]):
            made_by, at, module, value = numbered
            self.i.report(OptimiserMisuse("numbers", made_by), at, module, value)
        gradients, trees = call.get(0, "updates"), self.trees.get(optimiser.ident or (), {})
        if gradients is not None and gradients.ident is not None and len(trees) == 1:
            (tree, made), *_ = trees.items()
            way = gradients.ident[len(tree) :] if gradients.ident[: len(tree)] == tree else ()
            if way and all(type(step) is str for step in way):  # keys and attributes, and no passes of a loop
                hazard = OptimiserMisuse("part", self.i.libraries.remembers(optimiser) or "", made=made)
                node = call.arg_nodes[0] if call.args else call.keyword_nodes["updates"]
                self.i.report(hazard, call.node, node, gradients)
        given = {name for name, value in call.keywords.items() if not v.is_none(value)}
        params = call.get(2, "params")
        if params is not None and not v.is_none(params):
            given.add("params")
            if optimiser.class_name == _MULTI_STEPS and self.i.equinox.holds_function(params):
                node = call.arg_nodes[2] if len(call.args) > 2 else call.keyword_nodes["params"]
                self.i.report(OptimiserMisuse("functions", _MULTI_STEPS), call.node, node, params)
        for maker, needed in self.needs(optimiser):
            missing = tuple(name for name in ("params", "value", "grad", "value_fn") if name in needed - given)
            if missing:
                self.i.report(OptimiserMisuse("missing", maker, missing), call.node, call.node, v.UNKNOWN)
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
            self.i.report(OptimiserMisuse("order"), call.node, call.arg_nodes[1], call.args[1])
            return True
        if state == first and state != second:
            self.i.report(OptimiserMisuse("state"), call.node, call.arg_nodes[0], call.args[0])
            return True
        if updates == second and state != second and updates != first:
            self.i.report(OptimiserMisuse("results"), call.node, target.elements[0], v.UNKNOWN)
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
        how = self.not_gradients(node) if node is not None else None
        if how is not None and node is not None:
            self.i.report(OptimiserMisuse(how), call.node, node, v.UNKNOWN)

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
            self.i.report(OptimiserMisuse("both"), call.node, name, v.UNKNOWN)
            return True
        if type(target) is not ir.Sequence or len(target.elements) != 2 or type(target.elements[1]) is not ir.Name:
            return False
        if target.elements[1].id != name.id or ir.last_name(target.elements[0]) in ("", "_"):
            return False
        self.i.report(OptimiserMisuse("results"), assign.value, target.elements[0], v.UNKNOWN)
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
            self.i.report(OptimiserMisuse("both"), call.node, node, v.UNKNOWN)
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


class FunctionLeaves(Checker):
    """Arithmetic on all leaves of a module that holds functions."""

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called)

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if call.star or call.double_star or type(call.node) is not ir.Call:
            return
        if name == _APPLYING:
            params, node = call.get(0, "params"), call.node_of(0, "params")
            if params is not None and node is not None and self.i.equinox.holds_function(params):
                self.i.report(OptimiserMisuse("applied", name), call.node, node, params)
        elif name == _MAPPING and call.keywords.keys() <= {"f", "tree"}:
            function, tree, node = call.get(0, "f"), call.get(1, "tree"), call.node_of(1, "tree")
            if function is None or tree is None or node is None:
                return
            if self.i.equinox.holds_function(tree) and self.computes(function):
                self.i.report(OptimiserMisuse("mapped", name), call.node, node, tree)

    def computes(self, function: v.Value) -> bool:
        """Whether a function computes with its first argument, whatever that is."""
        if type(function) is v.Api:
            return function.name in _REFUSING
        if type(function) is not v.FunctionValue:
            return False
        parameters, body = function.function.parameters, function.function.body
        returned = body[0] if len(body) == 1 else None
        if not parameters or type(returned) is not ir.Return or returned.value is None:
            return False
        name = parameters[0].name
        for node in _always(returned.value):
            operands: list[ir.Expression] = []
            if type(node) is ir.Binary and node.op in _ARITHMETIC:
                operands = [node.left, node.right]
            elif type(node) is ir.Unary and node.op == "-":
                operands = [node.operand]
            elif type(node) is ir.Call and node.args:
                callee = self.i.named(ir.dotted(node.func) or "", function.frame)
                operands = [node.args[0]] if type(callee) is v.Api and callee.name in _REFUSING else []
            if any(type(each) is ir.Name and each.id == name for each in operands):
                return True
        return False


def _always(node: ir.Node) -> Iterator[ir.Node]:
    """The parts of an expression that are evaluated whatever it computes."""
    if type(node) in (ir.Binary, ir.Unary, ir.Call, ir.Attribute, ir.Keyword, ir.Name):
        yield node
        for each in node.children():
            yield from _always(each)
