"""Parameters that a loop trains and nothing uses, while what they were at first is used in their place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import in_order
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by, defining_scope, only_target, only_value

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_STEPPING = frozenset(
    {"optax.apply_updates", "equinox.apply_updates"}
    | {f"{package}.{name}" for package in ("jax", "flax.nnx") for name in ("grad", "value_and_grad")}
    | {"equinox.filter_grad", "equinox.filter_value_and_grad", "haiku.grad", "haiku.value_and_grad"}
)
# Functions that take a model apart, of which the parameters are a part.
_PARTING = frozenset({"equinox.partition", "flax.nnx.split"})
_PARTIALS = frozenset({"functools.partial", "jax.tree_util.Partial"})
# Functions that do not evaluate a model.
_LOOKING = ("builtins.", "copy.", "flax.nnx.", "flax.serialization.", "jax.tree", "optax.", "pickle.")
_DEPTH = 3  # of functions that a step calls


@hazard_class(consequence=Consequence.SILENT)
class InitialParametersUsed(Hazard):
    """What the parameters were before training is used, and what training made of them is not.

    Site: the name that is read; operand: the same.
    """

    initial: str
    trained: str  # the name that the loop binds anew, or the call whose result is not kept
    step: int  # site of the call that trains


class _Application(NamedTuple):
    """`model.apply(params, x)` with a variable from outside of the function, which holds what `init` gave."""

    call: ir.Call
    method: ir.Attribute
    initial: ir.Name


class TrainedParameters(Checker):
    """Loops that train, and what is read after them."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.applications: dict[int, list[_Application]] = {}  # in a function, by its site

    def subscribe(self, events: Events) -> None:
        events.loop_ended.append(self.ended)
        events.function_entered.append(self.entered)

    # --- a loop in the function -----------------------------------------------------------------

    def ended(self, loop: ir.For | ir.While) -> None:
        scope = self.i.unit.scope(loop.site)
        if self.i.context.stage == STAGED_CODE or self.i.silent or isinstance(scope, ir.ClassDefinition):
            return
        for statement in ir.statements(loop.body, into_scopes=False):
            call = statement.value if isinstance(statement, ir.Assign) else None
            if not isinstance(call, ir.Call):
                continue
            passed = {each.id for each in ir.passed_values(call) if type(each) is ir.Name}
            names = passed & bound_by(statement)
            if names and self.trains(call):
                for name in sorted(names):
                    self.trained(scope, name, call)

    def trained(self, scope: ir.Scope, name: str, call: ir.Call) -> None:
        """A name is trained: whether it is of use to anything but its training."""
        bound = bindings(scope, name)
        around = [each for each in self.i.unit.ancestors(call.site) if isinstance(each, (ir.For, ir.While))]
        inside = [each for each in around if self.i.unit.scope(each.site) is scope]
        if not inside:
            return
        outermost, order = inside[-1], {node.site: n for n, node in enumerate(ir.walk(scope.body))}
        first = [each for each in bound if order[each.site] < order[outermost.site]]
        steps = [each for each in bound if each not in first]
        begun = first[0] if len(first) == 1 else None
        if not isinstance(begun, ir.Assign) or not all(map(self.is_step, steps)):
            return
        for read in ir.walk(scope.body):
            if (
                type(read) is not ir.Name
                or read.id != name
                or defining_scope(self.i.unit, read.site, name) is not scope
            ):
                continue
            inside_too = self.i.unit.scope(read.site) is scope
            if not inside_too or (
                order[read.site] > order[outermost.site] and self.i.unit.statement(read.site) not in steps
            ):
                return
        inner = {each.site for step in steps for each in ir.walk([step])}
        for initial, key in self.initial(scope, begun, name, order[outermost.site], order):
            if any(order[each.site] > order[outermost.site] for each in bindings(scope, initial)):
                continue
            for node, at in order.items():
                used = self.i.unit.nodes[node] if at > order[outermost.site] and node not in inner else None
                if type(used) is ir.Name and used.id == initial and self.is_used(used, key):
                    self.i.report(InitialParametersUsed(initial, name, call.site), used, used, v.UNKNOWN)
                    return

    def is_step(self, statement: ir.Node) -> bool:
        """Whether a statement assigns what a training step returns."""
        call = statement.value if isinstance(statement, ir.Assign) else None
        return isinstance(call, ir.Call) and self.trains(call)

    def initial(
        self, scope: ir.Scope, begun: ir.Assign, name: str, until: int, order: dict[int, int]
    ) -> Iterator[tuple[str, object]]:
        """The names of what the parameters were, with the key by which they are taken out of it."""
        value, target = begun.value, only_target(begun)
        key: object = None
        if isinstance(value, ir.Subscript) and isinstance(value.index, ir.Constant):
            key = value.index.value
            value = value.value
        if type(value) is ir.Name and type(target) is ir.Name:
            yield value.id, key
        if isinstance(value, ir.Call):
            library = self.i.library_name(self.i.last_callee.get(value.site))
            parted = in_order(library, value).args if library in _PARTING else ()
            if parted and type(parted[0]) is ir.Name:
                yield parted[0].id, None
            func = value.func
            if isinstance(func, ir.Attribute) and func.attr == "create":
                given = next((each.value for each in value.keywords if each.name == "params"), None)
                if isinstance(given, ir.Subscript) and isinstance(given.index, ir.Constant):
                    key = given.index.value
                    given = given.value
                if type(given) is ir.Name:
                    yield given.id, key
        for statement in scope.body:
            made = statement.value if isinstance(statement, ir.Assign) and order[statement.site] < until else None
            bound_to = only_target(statement)
            if isinstance(made, ir.Call) and type(bound_to) is ir.Name:
                if self.i.library_name(self.i.last_callee.get(made.site)) in _PARTIALS:
                    if any(type(each) is ir.Name and each.id == name for each in made.args):
                        yield bound_to.id, None

    def is_used(self, node: ir.Name, key: object) -> bool:
        """Whether a name is what is called, or is given to a call, with the parameters in it."""
        above = self.i.unit.parent(node.site)
        if isinstance(above, ir.Subscript) and above.value is node:
            if key is None or not isinstance(above.index, ir.Constant) or above.index.value != key:
                return False
            above = self.i.unit.parent(above.site)
        while isinstance(above, (ir.Dict, ir.Keyword)):
            above = self.i.unit.parent(above.site)
        if not isinstance(above, ir.Call):
            return False
        return self.computes(above)

    def computes(self, call: ir.Call) -> bool:
        """Whether a call may evaluate a model, and does not only look at it."""
        dotted = ir.dotted(call.func)  # what comes after the loop has not run yet
        if dotted in v.BUILTINS and self.i.owner(dotted) is None:
            return False
        name = (self.i.library_name(self.i.named(dotted)) if dotted is not None else None) or ""
        return not name.startswith(_LOOKING)

    def trains(self, call: ir.Call) -> bool:
        function = v.untransformed(self.i.last_callee.get(call.site) or v.UNKNOWN)
        if type(function) is v.BoundMethod:
            function = v.untransformed(function.function)
        return type(function) is v.FunctionValue and self.takes_steps(function.function)

    def takes_steps(self, function: ir.Function, depth: int = 0) -> bool:
        """Whether a function takes a gradient, or applies one."""
        for node in ir.walk(function.body):
            if type(node) is not ir.Call:
                continue
            called = self.i.last_callee.get(node.site) or v.UNKNOWN
            if self.i.library_name(called) in _STEPPING or ir.last_name(node.func) == "apply_gradients":
                return True
            callee = v.untransformed(called)
            if type(callee) is v.FunctionValue and depth < _DEPTH and not self.i.is_in_source(callee.function.site):
                if self.takes_steps(callee.function, depth + 1):
                    return True
        return False

    # --- a function that is given the trained parameters and applies the first -----------------------

    def entered(self, func: v.FunctionValue, variables: dict[str, v.Value], *_given: object) -> None:
        """A function runs: whether it applies a model to its first parameters, and leaves those that it is given."""
        if self.i.silent:
            return
        function = func.function
        if function.site not in self.applications:
            self.applications[function.site] = list(self.applied(function))
        for call, method, initial in self.applications[function.site]:
            for name in sorted({each.name for each in function.parameters}):
                if self.is_left(function, name, variables.get(name, v.UNKNOWN), method):
                    self.i.report(InitialParametersUsed(initial.id, name, call.site), initial, initial, v.UNKNOWN)
                    return

    def applied(self, function: ir.Function) -> Iterator[_Application]:
        """The calls in a function that apply a model to its first parameters."""
        for call in ir.walk(function.body):
            method = call.func if type(call) is ir.Call and isinstance(call.func, ir.Attribute) else None
            if type(call) is not ir.Call or method is None or method.attr not in ("apply", "apply_fn") or not call.args:
                continue
            read = [each for each in ir.walk([call.args[0]]) if type(each) is ir.Name]
            if len(read) == 1 and read[0].id not in function.locals and self.is_initial(read[0]):
                yield _Application(call, method, read[0])

    def is_initial(self, name: ir.Name) -> bool:
        """Whether a variable of the function around, or of the module, is what `init` gave."""
        scope = defining_scope(self.i.unit, name.site, name.id)
        value = only_value(scope, name.id) if scope is not None else None
        while isinstance(value, ir.Subscript):
            value = value.value
        return isinstance(value, ir.Call) and isinstance(value.func, ir.Attribute) and value.func.attr == "init"

    def is_left(self, function: ir.Function, name: str, value: v.Value, method: ir.Attribute) -> bool:
        """Whether a function is given a training state, and reads no parameters of it."""
        contents = self.i.contents(value)
        is_state = type(contents) is Instance and {"params", "apply_fn"} <= contents.fields.keys()
        if not is_state and not (method.attr == "apply_fn" and ir.dotted(method.value) == name):
            return False
        reads = [each for each in ir.walk(function.body) if type(each) is ir.Name and each.id == name]
        return all(self.i.unit.parent(each.site) is method for each in reads)
