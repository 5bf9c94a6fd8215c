"""Modules of NNX that are evaluated as they were trained: dropout and batch norm are in training mode until `eval` is called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import innermost_loop

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Trace
    from jaxlint.analysis.domain.origin import Origin

# What tells a layer that it is not in training: methods, and arguments.
_SWITCHING = frozenset({"eval", "set_attributes", "set_mode", "view"})
_TELLING = frozenset({"deterministic", "use_running_average"})
_DERIVATIVES = frozenset({"grad", "value_and_grad", "vjp", "jvp", "linearize", "jacrev", "jacfwd", "hessian"})
_MAX_STEPS = 1000
_MAX_DEPTH = 4  # of modules in one another


@hazard_class(consequence=Consequence.SILENT)
class EvaluationInTrainingMode(Hazard):
    """A module is evaluated in training mode. Site: the call that does so; operand: what is called in it; api: the layer."""

    module: str  # the class of the module
    trained: int  # site of the call that trains it


@hazard_class(consequence=Consequence.SILENT)
class AverageInTraining(Hazard):
    """Batch norm of Linen uses its running average where the statistics are to be updated. Site: the call of the layer."""

    apply: int  # site of the call that asks for the new statistics


class Training(NamedTuple):
    """How a module is called where its derivative is taken."""

    chain: tuple[int, ...]
    trace: int | None  # serial number of the outermost trace
    layer: str  # one that is in training mode: an optimizer leaves open what the fields of the module are


class TrainingModes(Checker):
    """Modules of NNX that are called in and outside of derivatives."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.trained: dict[int, Training] = {}  # site of a class -> how it is trained
        self.calling: dict[int, set[int]] = {}  # site of a function -> the classes whose modules it has called
        self.reported: dict[tuple[int, int], int] = {}  # class and function -> the first call there that evaluates
        self.tells: dict[int, bool] = {}  # site of a class or module -> whether its code tells what the mode is

    def subscribe(self, events: Events) -> None:
        events.function_entered.append(self.entered)

    def entered(self, func: v.FunctionValue, variables: dict[str, v.Value], call: Call, _origin: Origin | None) -> None:
        """A function runs, or what it did before is known."""
        if self.i.silent:
            return
        if func.owner is None or func.owner.family != "nnx":
            if func.function.site in self.calling:
                self.passed(func.function, variables, call)
            return
        first = func.function.parameters[0].name if func.function.parameters else ""
        contents = self.i.contents(variables.get(first, v.NONE))
        if func.name != "__call__" or type(contents) is not Instance:
            return
        cls = contents.cls.definition.site
        for frame in self.i.running:
            self.calling.setdefault(frame.scope.site, set()).add(cls)
        self.run(contents, call)

    def passed(self, function: ir.Function, variables: dict[str, v.Value], call: Call) -> None:
        """A function that has called modules is given some again."""
        differentiated = is_differentiated(self.i)
        for value in variables.values():
            contents = self.i.contents(value)
            if type(contents) is Instance and contents.cls.family == "nnx":
                if differentiated or contents.cls.definition.site in self.calling[function.site]:
                    self.run(contents, call)

    def run(self, contents: Instance, call: Call) -> None:
        """A module is called, in a derivative or outside of one."""
        if any(map(self.mentions, self.parts(contents))):
            return
        cls = contents.cls.definition
        chain, trace = (*self.i.chain, call.site), self.outermost()
        if is_differentiated(self.i):
            before = self.trained.get(cls.site)
            layer = next(self.active(contents), before.layer if before is not None else "")
            if layer:
                self.trained[cls.site] = Training(chain, trace, layer)
        elif cls.site in self.trained:
            self.evaluated(cls, chain, trace, call)

    def evaluated(self, cls: ir.ClassDefinition, chain: tuple[int, ...], trace: int | None, call: Call) -> None:
        """A module is called outside of a derivative, after one was taken."""
        training = self.trained[cls.site]
        if trace is not None and trace == training.trace:
            return  # in the very step that trains it
        level = next((n for n, (a, b) in enumerate(zip(chain, training.chain)) if a != b), -1)
        if level < 0:
            return
        node, step = self.i.unit.nodes[chain[level]], self.i.unit.nodes[training.chain[level]]
        place = (cls.site, self.i.unit.scope(node.site).site)
        if type(node) is not ir.Call or (self.reported.setdefault(place, node.site) != node.site):
            return  # other activations of the module, or the second of two
        loop = innermost_loop(self.i.unit, node.site)
        in_one_loop = loop is not None and loop is innermost_loop(self.i.unit, step.site)
        if trace is None and training.trace is None and in_one_loop:
            return
        if self.mentions(self.i.unit.module_of(node.site)) or self.mentions(self.i.unit.module_of(call.site)):
            return
        hazard = EvaluationInTrainingMode(cls.name, step.site)
        self.i.report(hazard, node, call.node, v.UNKNOWN, api=training.layer)

    def outermost(self) -> int | None:
        trace: Trace | None = self.i.context.trace
        while trace is not None and trace.outer is not None:
            trace = trace.outer
        return None if trace is None else trace.serial

    def parts(self, contents: Instance, depth: int = 0) -> Iterator[ir.ClassDefinition]:
        """The class of a module, and those of the modules in it."""
        yield contents.cls.definition
        for value in contents.fields.values() if depth < _MAX_DEPTH else ():
            inner = self.i.contents(value)
            if type(inner) is Instance and inner.cls.family == "nnx":
                yield from self.parts(inner, depth + 1)

    def active(self, contents: Instance, depth: int = 0) -> Iterator[str]:
        """The layers of a module that do something else in training, and are in training mode."""
        for value in contents.fields.values() if depth < _MAX_DEPTH else ():
            layer = self.i.nnx.active(value)
            if layer:
                yield layer
            inner = self.i.contents(value)
            if type(inner) is Instance and inner.cls.family == "nnx":
                yield from self.active(inner, depth + 1)

    def mentions(self, scope: ir.Node) -> bool:
        """Whether some code tells layers what the mode is."""
        if scope.site not in self.tells:
            self.tells[scope.site] = any(map(_tells, ir.walk([scope])))
        return self.tells[scope.site]


def is_differentiated(i: Interpreter) -> bool:
    """Whether a derivative of what runs is taken."""
    origin: Origin | None = i.context.origin
    steps = origin.steps(_MAX_STEPS) if origin is not None else ()
    return any((each.transform or "").rpartition(".")[2] in _DERIVATIVES for each in steps)


def _tells(node: ir.Node) -> bool:
    if type(node) is ir.Keyword:
        return node.name in _TELLING
    return type(node) is ir.Attribute and node.attr in _SWITCHING | _TELLING
