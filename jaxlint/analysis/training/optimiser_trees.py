"""Trees that an optimiser cannot keep a state for or add to: functions in them, parts of others, labels that nothing has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.models.libraries import maker_of
from jaxlint.analysis.training.optimisers import MULTI_STEPS, optimiser_of
from jaxlint.analysis.transforms.gradients import giving_transform
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Those whose update fails where a number of their state has no gradient but None; the others leave it out.
_MATCHING = frozenset("adadelta adagrad adam adamw adan lamb lion nadam nadamw optimistic_adam rprop rss yogi".split())
_FILTERED = frozenset({"equinox.filter_grad", "equinox.filter_value_and_grad"})
_LABELLED = frozenset({"optax.multi_transform", "optax.partition"})
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
class UntrainableLeaves(Hazard):
    """A tree with leaves that are no arrays is computed with. Site: the call; operand: the tree."""

    leaves: str  # "functions", "numbers"
    use: str  # "state": an optimiser makes one for them; "updates" are added to them; "map": a function is mapped over them


@hazard_class()
class PartialGradients(Hazard):
    """Gradients cover a part of the tree that a state was made for, or another one. Site: the call of `update`; operand: the gradients."""

    made: int  # site of the call that made the state
    names: tuple[tuple[str, ...], ...] = ()  # of two dicts: those of the gradients, and of the tree


@hazard_class()
class UnknownLabel(Hazard):
    """Parameters have a label that no transformation has. Site: the call; operand: the labels."""

    label: str


@hazard_class()
class CallableLabels(Hazard):
    """The labels of parameters are a module, which is taken for a function that gives them. Site: the call; operand: the labels."""

    cls: str


class OptimiserTrees(Checker):
    """What states are made for, and what they are updated by."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Optimiser -> what its states were made for, each with the call that made it.
        self.trees: dict[v.Ident, dict[v.Ident, int]] = self.i.per_module({})
        # Optimiser -> the names in the dicts that its states were made for, with the call that made the state.
        self.names: dict[v.Ident, dict[tuple[str, ...], int]] = self.i.per_module({})
        # Optimiser -> the call of `init` that was given a module with numbers, its argument and the value of that.
        self.numbered: dict[v.Ident, tuple[ir.Node, ir.Node, v.Value]] = self.i.per_module({})

    def subscribe(self, events: Events) -> None:
        events.called.append(self.called, (v.Member,))
        events.library_function_called.append(self.of_library, {*_LABELLED, "optax.apply_updates", "jax.tree.map"})

    def called(self, func: v.Value, call: Call) -> None:
        initialised = optimiser_of(self.i, func, "init")
        if initialised is not None:
            self.init(initialised, call)
            return
        updated = optimiser_of(self.i, func, "update")
        if updated is not None and not call.star and not call.double_star:
            self.update(updated, call)

    def of_library(self, name: str, _func: v.Value, call: Call) -> None:
        if name in _LABELLED:
            self.labelled(call)
        elif call.star or call.double_star or type(call.node) is not ir.Call:
            return
        elif name == "optax.apply_updates":
            params, node = call.get(0, "params"), call.node_of(0, "params")
            if params is not None and node is not None and self.i.equinox.holds_function(params):
                self.i.report(UntrainableLeaves("functions", "updates"), call.node, node, params)
        elif name == "jax.tree.map" and call.keywords.keys() <= {"f", "tree"}:
            function, tree, node = call.get(0, "f"), call.get(1, "tree"), call.node_of(1, "tree")
            if function is None or tree is None or node is None:
                return
            if self.i.equinox.holds_function(tree) and self.computes(function):
                self.i.report(UntrainableLeaves("functions", "map"), call.node, node, tree)

    def labelled(self, call: Call) -> None:
        """The labels of a tree name the transformations in a dict."""
        known = self.i.contents(call.get(0, "transforms") or v.NONE)
        labels, node = call.get(1, "param_labels"), call.node_of(1, "param_labels")
        contents = self.i.contents(labels) if labels is not None else None
        if node is not None and labels is not None and type(contents) is Instance and _is_callable_module(contents.cls):
            self.i.report(CallableLabels(contents.cls.definition.name), call.node, node, labels)
        if type(known) is not DictObject or known.rest is not None or labels is None or node is None:
            return
        for leaf in self.i.leaves([labels]) if type(self.i.contents(labels)) is DictObject else ():
            if type(leaf) is v.Const and isinstance(leaf.value, str) and leaf.value not in known.items:
                self.i.report(UnknownLabel(leaf.value), call.node, node, labels)
                return

    def init(self, optimiser: v.OpaqueInstance, call: Call) -> None:
        """Most optimisers make zeros like each leaf of the parameters, and there are none like a function."""
        params, node = call.get(0, "params"), call.node_of(0, "params")
        if params is None or node is None:
            return
        matching = maker_of(optimiser).rpartition(".")[2].removeprefix("scale_by_") in _MATCHING
        if matching and optimiser.ident is not None and call.site in self.i.unit:
            self.names.setdefault(optimiser.ident, {})[self.names_in(params)] = call.site
        maker = self.i.libraries.remembers(optimiser)
        if maker is None:
            return
        if params.ident is not None and optimiser.ident is not None:
            self.trees.setdefault(optimiser.ident, {})[params.ident] = call.site
        if self.i.equinox.holds_function(params):
            self.i.report(UntrainableLeaves("functions", "state"), call.node, node, params)
        elif matching and optimiser.ident is not None:
            self.numbered.pop(optimiser.ident, None)
            if self.i.equinox.holds_number(params) and call.site in self.i.unit:
                self.numbered[optimiser.ident] = call.node, node, params

    def names_in(self, tree: v.Value) -> tuple[str, ...]:
        """The names in a dict, where all are known; none of any other tree."""
        contents = self.i.contents(tree)
        if type(contents) is not DictObject or contents.rest is not None:
            return ()
        names = [each for each in contents.items if isinstance(each, str)]
        return tuple(sorted(names)) if len(names) == len(contents.items) else ()

    def update(self, optimiser: v.OpaqueInstance, call: Call) -> None:
        gradients, node = call.get(0, "updates"), call.node_of(0, "updates")
        if gradients is None or node is None:
            return
        numbered = self.numbered.get(optimiser.ident or ())
        if numbered is not None and giving_transform(self.i, node) in _FILTERED:
            at, module, value = numbered
            self.i.report(UntrainableLeaves("numbers", "state"), at, module, value)
        trees = self.trees.get(optimiser.ident or (), {})
        if gradients.ident is not None and len(trees) == 1:
            (tree, made), *_ = trees.items()
            way = gradients.ident[len(tree) :] if gradients.ident[: len(tree)] == tree else ()
            if way and all(type(step) is str for step in way):  # keys and attributes, and no passes of a loop
                self.i.report(PartialGradients(made), call.node, node, gradients)
        made_for, names = self.names.get(optimiser.ident or (), {}), self.names_in(gradients)
        if names and len(made_for) == 1:
            (others, made), *_ = made_for.items()
            if others and others != names:
                self.i.report(PartialGradients(made, (names, others)), call.node, node, gradients)
        params, third = call.get(2, "params"), call.node_of(2, "params")
        if params is None or third is None or optimiser.class_name != MULTI_STEPS:
            return
        if self.i.equinox.holds_function(params):
            self.i.report(UntrainableLeaves("functions", "state"), call.node, third, params)

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


def _is_callable_module(cls: v.ClassValue) -> bool:
    """Whether objects of a class are pytrees of parameters with a `__call__`, and not functions that give labels."""
    return cls.family == "equinox" and cls.lookup("__call__") is not None
