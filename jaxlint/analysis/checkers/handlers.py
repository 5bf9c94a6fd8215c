"""Exception handlers that nothing reaches: NumPy and Python raise there, and JAX gives a number all the same.

A handler counts where each expression of its `try` is understood, one of them would raise the exception outside of
JAX, and none can with jax arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.model import Observed

_DIVISION, _ALGEBRA, _INDEX = "ZeroDivisionError", "LinAlgError", "IndexError"
_NEVER = {
    "builtins.ZeroDivisionError": _DIVISION, "builtins.IndexError": _INDEX, "numpy.linalg.LinAlgError": _ALGEBRA,
    "scipy.linalg.LinAlgError": _ALGEBRA, "numpy.linalg.linalg.LinAlgError": _ALGEBRA,
}  # fmt: skip
_STATEMENTS = (ir.Assign, ir.Annotate, ir.Augment, ir.Return, ir.Evaluate, ir.Pass, ir.If)
_EXPRESSIONS = (
    ir.Constant, ir.Name, ir.Attribute, ir.Subscript, ir.Slice, ir.Sequence, ir.Dict, ir.Call, ir.Keyword, ir.Unary,
    ir.Binary, ir.Boolean, ir.Compare, ir.Conditional, ir.Format, ir.Field,
)  # fmt: skip
_DIVIDING = frozenset({"/", "//", "%"})
_BUILTINS = frozenset(f"builtins.{name}" for name in ("float", "int", "bool", "print", "len", "tuple", "isinstance"))
_LINEAR_ALGEBRA = ("jax.numpy.linalg.", "jax.scipy.linalg.", "jax.lax.linalg.")

ValuesOf = Callable[[ir.Node], list[v.Value]]  # of an expression in a `try`


@hazard_class(consequence=Consequence.SILENT)
class ExceptionNeverRaised(Hazard):
    """A handler of an exception that no jax array raises. Site: the exception in `except`; operand: what would raise it."""

    exception: str


class Handlers(Checker):
    """Exception handlers that nothing reaches."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.open: dict[
            int, list[tuple[ir.Handler, list[str]]]
        ] = {}  # site of a `try` that runs -> handlers, exceptions
        self.reached: set[int] = self.i.per_module(set())  # handlers that another call may reach

    def subscribe(self, events: Events) -> None:
        events.wants_values.append(self.watches)
        events.try_body_ended.append(self.check)

    def watches(self, node: ir.Try) -> bool:
        """Whether a handler of a `try` is worth a look."""
        watched = self.watched(node)
        if watched:
            self.open[node.site] = watched
        return bool(watched)

    def watched(self, node: ir.Try) -> list[tuple[ir.Handler, list[str]]]:
        """The handlers of a `try` that are worth a look, with what they handle."""
        pairs = [] if node.is_star else [(handler, self.exceptions(handler)) for handler in node.handlers]
        return [pair for pair in pairs if pair[1]]

    def exceptions(self, handler: ir.Handler) -> list[str]:
        """The exceptions of a handler, where arrays of JAX raise none of them."""
        if handler.type is None:
            return []
        names = self.i.handled(handler)
        return [_NEVER[name] for name in names] if all(name in _NEVER for name in names) else []

    def check(self, node: ir.Try, recorded: list[Observed]) -> None:
        """The body of a `try` was run; ``recorded`` says what its expressions were."""
        values: dict[int, list[v.Value]] = {}
        for site, value, _ in recorded:
            values.setdefault(site, []).append(value)
        inside = list(ir.walk(node.body, into_scopes=False))
        for handler, exceptions in self.open.pop(node.site, ()):
            found: tuple[ir.Node, str] | None = None
            for part in inside:
                verdicts = [self.judged(part, exception, values) for exception in exceptions]
                if None in verdicts:
                    found = None
                    break
                if True in verdicts and found is None:
                    found = (part, exceptions[verdicts.index(True)])
            place = handler.type
            assert place is not None
            if found is None:
                self.reached.add(place.site)
                self.i.found.pop((ExceptionNeverRaised, place.site), None)
            elif place.site not in self.reached:
                part, exception = found
                self.i.report(ExceptionNeverRaised(exception), place, part, v.UNKNOWN)

    def judged(self, node: ir.Node, exception: str, values: dict[int, list[v.Value]]) -> bool | None:
        """True: elsewhere this raises the exception; False: it never does; None: it may."""
        kind = type(node)
        if kind not in _STATEMENTS and kind not in _EXPRESSIONS:
            return None

        def of(part: ir.Node) -> list[v.Value]:
            return values.get(part.site) or [v.UNKNOWN]

        if type(node) is ir.Call:
            return self.judged_call(exception, of(node.func))
        if type(node) is ir.Binary and (node.op in _DIVIDING or node.op == "**") and exception == _DIVISION:
            return self.divided(node.op, node.left, node.right, of)
        if type(node) is ir.Augment and (node.op in _DIVIDING or node.op == "**") and exception == _DIVISION:
            return self.divided(node.op, node.target, node.value, of)
        if type(node) is ir.Subscript and exception == _INDEX:
            return self.indexed(node, of)
        bound = of(node) if kind is ir.Name else ()
        if any(type(value) in (v.FunctionValue, v.Partial, v.BoundMethod) for value in bound):
            return None  # it may be called in there
        return False

    def judged_call(self, exception: str, callees: list[v.Value]) -> bool | None:
        for callee in callees:
            if type(callee) is v.Member and type(callee.receiver) in (v.Array, v.At):
                continue
            if type(callee) is not v.Api:
                return None
            if callee.name.startswith("jax."):
                found = knowledge.facts(callee.name)
                if found is None or found.result not in ("array", "tuple"):
                    return None
            elif callee.name not in _BUILTINS:
                return None
        names = [callee.name for callee in callees if type(callee) is v.Api]
        return exception == _ALGEBRA and bool(names) and all(name.startswith(_LINEAR_ALGEBRA) for name in names)

    def divided(self, op: str, left: ir.Node, right: ir.Node, of: ValuesOf) -> bool | None:
        arrays = [_is_array(value) for value in of(left)], [_is_array(value) for value in of(right)]
        if not (all(arrays[0]) or all(arrays[1])):
            return None
        if self.is_parameter(left) and not all(arrays[1]) or self.is_parameter(right) and not all(arrays[0]):
            return None
        if op == "**":
            return False
        divisors = of(right)
        return not all(type(value) is v.Const and value.value for value in divisors)

    def indexed(self, node: ir.Subscript, of: ValuesOf) -> bool | None:
        """An item of an array: one that is not there is the nearest one, where the rank is known to be right."""
        for base, index in zip(of(node.value), of(node.index) * len(of(node.value))):
            parts = index.items if type(index) is v.Tuple and index.items is not None else (index,)
            array = base.array if type(base) is v.At else base
            if type(array) is not v.Array or array.aval.shape is None or self.is_parameter(node.value):
                return None
            if len(parts) > len(array.aval.shape) or not all(_is_index(part) for part in parts):
                return None
            if all(type(part) is v.Slice for part in parts):
                return False
        return True

    def is_parameter(self, node: ir.Node) -> bool:
        """Whether other calls may pass something else for it: traced functions are passed tracers alone."""
        scope = self.i.frame.scope
        if type(node) is not ir.Name or type(scope) is not ir.Function or self.i.context.stage == STAGED_CODE:
            return False
        return any(parameter.name == node.id for parameter in scope.parameters)


def _is_array(value: v.Value) -> bool:
    return type(value) in (v.Array, v.Undecided)


def _is_index(value: v.Value) -> bool:
    if type(value) is v.Slice or v.python_type(value) == "int":
        return True
    return type(value) is v.Array and value.aval.dtype is not None and "int" in value.aval.dtype
