"""What compiled functions read from outside: it is read when they are traced, and a later call finds what was compiled.

A call is stale where the same function was called before with arguments of the same kind, and a number it read then has
changed since.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard
from jaxlint.analysis.domain.state import DictObject, Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_COMPILED = frozenset({"jax.jit", "jax.pmap", "equinox.filter_jit"})
_MAX_CALLS = 8  # that are remembered of one function


@dataclass(eq=False, repr=False)
class StaleCapture(Hazard):
    """A compiled function runs with an old value. Site: the call that finds it; operand: what is read."""

    consequence = Consequence.SILENT

    text: str  # what is read
    read: int  # site where it is read
    before: v.Value
    now: v.Value
    first: int  # site of the call that compiled it


class Earlier(NamedTuple):
    call: Call
    read: dict[str, tuple[v.Value, Any]]


class Captures(Checker):
    """Variables that a compiled function has captured, and that have changed since."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.earlier: dict[Any, tuple[v.Value, list[Earlier]]] = self.i.per_module({})
        self.names: dict[int, list[Any]] = {}  # site of a function -> the names in its body
        self.clearing: dict[int, bool] = {}  # site of a scope -> whether caches are emptied in it

    def subscribe(self, events: Events) -> None:
        events.compiled_called.append(self.called)

    def called(self, made: v.Transformed, call: Call) -> None:
        """A compiled function is called."""
        context = self.i.context
        if made.transform.name not in _COMPILED or context.origin is not None or context.stage == STAGED_CODE:
            return
        function, receiver = made.function, None
        if type(function) is v.BoundMethod:
            receiver, function = function.receiver, function.function
        if (
            type(function) is not v.FunctionValue
            or call.star
            or call.double_star
            or function.function.site >= self.i.own
        ):
            return
        read = self.read(function, receiver)
        if not read or self.is_cleared(call):
            return
        # A function that is made anew is compiled anew.
        key = (id(function), getattr(receiver, "location", None))
        calls = self.earlier.setdefault(key, (function, []))[1]
        same = next((each for each in calls if self.same(each.call, call)), None)
        if same is None:
            if len(calls) < _MAX_CALLS:
                calls.append(Earlier(call, read))
            return
        for text, (now, node) in read.items():
            before = same.read.get(text, (now, node))[0]
            if self.differs(before, now) or self.is_rebound(node, before, now, same.call, call):
                hazard = StaleCapture(text, node.site, before, now, same.call.site)
                self.i.report(hazard, call.node, node, now, api=made.transform.name)
                return

    def read(self, function: v.FunctionValue, receiver: v.Value | None) -> dict[str, tuple[v.Value, Any]]:
        """What the body reads of names from outside: variables, attributes and items."""
        scope = function.function
        free = scope.free - scope.globals - scope.nonlocals  # what it changes itself it changes when it is traced
        me = scope.parameters[0].name if receiver is not None and scope.parameters else None
        found: dict[str, tuple[v.Value, Any]] = {}
        if scope.site not in self.names:
            self.names[scope.site] = [node for node in ir.walk(scope.body, into_scopes=False) if type(node) is ir.Name]
        for node in self.names[scope.site]:
            if node.id not in free and node.id != me:
                continue
            value = receiver if node.id == me else self.value(node.id, function.frame)
            above = self.i.unit.parent(node.site)
            if isinstance(value, (v.Const, v.Array, v.Host)):
                found.setdefault(node.id, (value, node))
                continue
            contents = self.i.contents(value) if value is not None else None
            if type(contents) is Instance and type(above) is ir.Attribute and above.attr in contents.fields:
                found.setdefault(f"{node.id}.{above.attr}", (contents.fields[above.attr], above))
            elif type(contents) is DictObject and type(above) is ir.Subscript and type(above.index) is ir.Constant:
                item = contents.items.get(above.index.value) if isinstance(above.index.value, (str, int)) else None
                if item is not None:
                    found.setdefault(f"{node.id}[{above.index.value!r}]", (item, above))
        return found

    def value(self, name: str, frame: Any) -> v.Value | None:
        while frame is not None:
            variables = self.i.variables(frame)
            if name in variables:
                found: v.Value = variables[name]
                return found
            frame = frame.parent
        return None

    def same(self, first: Call, second: Call) -> bool:
        """Whether two calls certainly find the same compiled program."""
        if len(first.args) != len(second.args) or first.keywords.keys() != second.keywords.keys():
            return False
        return all(map(_alike, first.all(), second.all()))

    def differs(self, before: v.Value, now: v.Value) -> bool:
        return v.is_scalar_const(before) and v.is_scalar_const(now) and before.value != now.value  # type: ignore[attr-defined]

    def is_rebound(self, node: Any, before: v.Value, now: v.Value, first: Call, second: Call) -> bool:
        """Whether a statement between the two calls gives the variable another array, on the one way from call to call."""
        if type(node) is not ir.Name or before is now or not {type(before), type(now)} <= {v.Array, v.Host}:
            return False
        start, end = self.i.unit.statement(first.site), self.i.unit.statement(second.site)
        block = getattr(self.i.unit.parent(start.site), "body", None)
        if (
            not isinstance(block, (list, tuple))
            or not any(each is start for each in block)
            or not any(each is end for each in block)
        ):
            return False
        sites = [each.site for each in block]
        between = block[sites.index(start.site) + 1 : sites.index(end.site)]
        return any(_gives(each, node.id) for each in between)

    def is_cleared(self, call: Call) -> bool:
        """Whether the caches of compiled functions are emptied somewhere around the call."""
        scope = self.i.unit.scope(call.site)
        if scope.site not in self.clearing:
            inside = ir.walk(scope.body, into_scopes=False)
            self.clearing[scope.site] = any(
                isinstance(n, ir.Attribute) and n.attr in ("clear_cache", "clear_caches") for n in inside
            )
        return self.clearing[scope.site]


def _alike(first: v.Value, second: v.Value) -> bool:
    if first is second:
        return True
    if v.is_scalar_const(first) and v.is_scalar_const(second):
        return first.key == second.key  # it may be static
    if type(first) is type(second) and type(first) in (v.Array, v.Host):
        a, b = first.aval, second.aval  # type: ignore[attr-defined]
        known = a.dtype is not None and a.shape is not None and all(isinstance(size, int) for size in a.shape)
        return known and a.key == b.key and a.weak == b.weak
    return type(first) is v.Unknown and first.ident is not None and first.ident == second.ident


def _gives(statement: Any, name: str) -> bool:
    if type(statement) is ir.Assign:
        return any(type(target) is ir.Name and target.id == name for target in statement.targets)
    return type(statement) is ir.Augment and type(statement.target) is ir.Name and statement.target.id == name
