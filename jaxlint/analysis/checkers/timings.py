"""Two readings of a clock with nothing between them but calls that JAX runs on its own time.

A call of a compiled function, or of one of `jax.numpy`, returns before its result is there. Between the readings
each statement must be understood: anything else may wait for the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance, ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.keys.intentional_reuse import alike
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jaxlint.analysis.domain.context import Frame

CLOCKS = frozenset(f"time.{name}" for name in (
    "perf_counter", "perf_counter_ns", "time", "time_ns", "monotonic", "monotonic_ns",
)) | {"timeit.default_timer", "datetime.datetime.now"}  # fmt: skip
_COMPILED = frozenset({"jax.jit", "jax.pmap", "equinox.filter_jit", "flax.nnx.jit", "jax.experimental.pjit.pjit"})
_ASYNCHRONOUS = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.random.", "jax.scipy.")
_NEUTRAL = frozenset(f"builtins.{name}" for name in ("range", "len", "enumerate", "zip", "tuple", "isinstance"))
_TIMING = frozenset({"timeit.timeit", "timeit.repeat"})  # which call what they are given
_DEPTH = 4  # of functions that call one another
_STATEMENTS = (ir.Assign, ir.Annotate, ir.Augment, ir.Evaluate, ir.For, ir.Pass, ir.Return)
_EXPRESSIONS = (
    ir.Constant, ir.Name, ir.Attribute, ir.Subscript, ir.Slice, ir.Sequence, ir.Dict, ir.Call, ir.Keyword, ir.Binary,
    ir.Unary, ir.Starred,
)  # fmt: skip


@hazard_class(consequence=Consequence.SILENT)
class TimingWithoutBlock(Hazard):
    """A clock is read before the computation is done. Site: the second reading; operand: the call it does not wait for."""

    start: int  # the assignment of the first reading, or what reads the clock before and after what is timed
    end: int  # the statement of the second one, or the same
    last: int  # the statement between them whose result is not waited for


class Timings(Checker):
    """Clocks that are read before the result is there."""

    def subscribe(self, events: Events) -> None:
        events.host_called.append(self.read)
        events.with_ended.append(self.timed)

    def read(self, name: str, call: Call) -> None:
        """A clock is read."""
        if name in _TIMING and self.is_outside():
            self.repeated(call)
        if name not in CLOCKS or not self.is_outside():
            return
        end = self.i.unit.statement(call.site)
        block = _block(self.i.unit.parent(end.site), end)
        if block is None:
            return
        before, after = block[: block.index(end)], block[block.index(end) + 1 :]
        started = _subtracted(end, call.node, after)
        first = next((each for each in reversed(before) if self.starts(each, started)), None)
        if first is None:
            return
        above, between = before[: before.index(first)], before[before.index(first) + 1 :]
        found = self.left_running(between)
        if (
            found is not None
            and not self.waits_later(started, after)
            and not self.compiles(*found, between, above, after)
        ):
            statement, node = found
            hazard = TimingWithoutBlock(first.site, end.site, statement.site)
            self.i.report(hazard, call.node, node, v.UNKNOWN, api=name)

    def is_outside(self) -> bool:
        """Whether no trace is around what runs."""
        context = self.i.context
        return context.origin is None and context.stage != STAGED_CODE and not context.transparent

    def repeated(self, call: Call) -> None:
        """`timeit.timeit(lambda: step(x))`: the function that is timed returns before its result is there."""
        function = call.get(0, "stmt")
        body = function.function.body if type(function) is v.FunctionValue and function.function.is_lambda else ()
        for each in body:  # one statement, which returns
            if type(function) is v.FunctionValue and type(each) is ir.Return and type(each.value) is ir.Call:
                if self.starts_computation(each.value, function.frame):
                    hazard = TimingWithoutBlock(call.site, call.site, call.site)
                    self.i.report(hazard, call.node, each.value, v.UNKNOWN, api="timeit")

    def timed(self, node: ir.With, managers: list[v.Value]) -> None:
        """`with timer():` around a computation, where the timer reads a clock before and after it."""
        if not self.is_outside() or not any(map(self.is_timer, [each.context for each in node.items], managers)):
            return
        found = self.left_running(node.body)
        if found is not None:
            hazard = TimingWithoutBlock(node.site, node.site, found[0].site)
            self.i.report(hazard, found[1], found[1], v.UNKNOWN, api="timer")

    def is_timer(self, node: ir.Node, manager: v.Value) -> bool:
        """Whether a context manager of the project reads a clock when it is entered and when it is left, and waits for nothing."""
        contents, callee = self.i.contents(manager), self.i.last_callee.get(node.site)
        functions: list[v.Value | None] = []
        if type(contents) is Instance:
            functions = [contents.cls.lookup("__enter__"), contents.cls.lookup("__exit__")]
        elif type(callee) is v.FunctionValue and callee.function.is_generator:
            functions = [callee]
        read = []
        for each in functions:
            for part in ir.walk(each.function.body) if type(each) is v.FunctionValue else ():
                if isinstance(part, (ir.Name, ir.Attribute)) and _waits(part):
                    return False
                dotted = ir.dotted(part.func) if type(part) is ir.Call else None
                if dotted and type(each) is v.FunctionValue:
                    read += [each] if self.i.library_name(self.i.named(dotted, each.frame)) in CLOCKS else []
        return len(read) > 1 and len(set(map(id, read))) == len(functions)

    def starts(self, statement: ir.Statement, name: str | None) -> bool:
        """Whether the statement gives the name a reading of a clock."""
        if name is None or type(statement) is not ir.Assign or type(statement.value) is not ir.Call:
            return False
        callee = self.i.last_callee.get(statement.value.site)
        is_target = any(type(target) is ir.Name and target.id == name for target in statement.targets)
        return is_target and type(callee) is v.Api and callee.name in CLOCKS

    def left_running(self, between: list[ir.Statement]) -> tuple[ir.Statement, ir.Call] | None:
        """The last statement that starts a computation, and its call; None where anything may wait for it."""
        found = self.computations(between)
        return found[-1] if found else None

    def computations(self, block: list[ir.Statement], depth: int = 0) -> list[tuple[ir.Statement, ir.Call]] | None:
        """The statements that start computations, each with its call; None where anything may wait for one."""
        found: list[tuple[ir.Statement, ir.Call]] = []
        for statement in block:
            for node in ir.walk([statement]):
                if type(node) not in _STATEMENTS and type(node) not in _EXPRESSIONS:
                    return None
                if isinstance(node, ir.For) and not self.is_range(node.iterable):
                    return None
                if any(type(target) in (ir.Subscript, ir.Attribute) for target in getattr(node, "targets", ())):
                    return None  # a store into an array of NumPy waits
                if type(node) is ir.Call:
                    verdict = self.starts_computation(node, None, depth)
                    if verdict is None:
                        return None
                    if verdict:
                        found.append((statement, node))
        return found

    def is_range(self, node: ir.Node) -> bool:
        callee = self.i.last_callee.get(node.site) if type(node) is ir.Call else None
        return type(callee) is v.Api and callee.name == "builtins.range"

    def starts_computation(self, node: ir.Call, frame: Frame | None = None, depth: int = 0) -> bool | None:
        """Whether a call returns before its result is there; None where it may wait for something."""
        callee = self.i.last_callee.get(node.site)
        if callee is None and frame is not None:  # of a function that has not run yet
            dotted = ir.dotted(node.func)
            callee = self.i.named(dotted, frame) if dotted else None
        contents = self.i.contents(callee) if callee is not None else None
        if type(contents) is Instance:
            callee = contents.cls.lookup("__call__")
        if type(callee) is v.BoundMethod:
            callee = callee.function
        if type(callee) is v.FunctionValue and depth < _DEPTH and not callee.function.is_generator:
            inside = None if callee.function.is_lambda else self.computations(callee.function.body, depth + 1)
            return None if inside is None else bool(inside)
        if type(callee) is v.Transformed:
            return True if callee.transform.name in _COMPILED else None
        if type(callee) is v.Member and type(callee.receiver) in (v.Array, v.At):
            method = knowledge.method(callee.name if type(callee.receiver) is v.Array else f"at.{callee.name}")
            return True if method is not None and method.result == "array" else None
        if (
            type(callee) is v.Member
            and callee.name == "append"
            and type(self.i.contents(callee.receiver)) is ListObject
        ):
            return False
        if type(callee) is not v.Api:
            return None
        if callee.name in _NEUTRAL:
            return False
        found = knowledge.facts(callee.name)
        if not callee.name.startswith(_ASYNCHRONOUS) or found is None or found.result != "array":
            return None
        # What has no array among its arguments is made in no time.
        given = self.i.last_calls.get(node.site)
        return given is not None and any(type(leaf) is v.Array for leaf in self.i.leaves(given.all()))

    def waits_later(self, started: str | None, after: list[ir.Statement]) -> bool:
        """Whether the code waits between this reading and the next start: what was measured is the dispatch."""
        for statement in after:
            if any(
                isinstance(node, (ir.Name, ir.Attribute)) and _waits(node)
                for node in ir.walk([statement], into_scopes=False)
            ):
                return True
            if self.starts(statement, started):
                break
        return False

    def compiles(
        self,
        statement: ir.Statement,
        call: ir.Call,
        between: list[ir.Statement],
        above: list[ir.Statement],
        after: list[ir.Statement],
    ) -> bool:
        """Whether what is measured is the compilation: the first call of a compiled function that is called again later."""
        if (
            type(self.i.last_callee.get(call.site)) is not v.Transformed
            or statement not in between
            or type(statement) is ir.For
        ):
            return False
        return not _calls(above, call) and _calls(after, call)


def _calls(statements: list[ir.Statement], call: ir.Call) -> bool:
    """Whether the same call, in the same words, stands in the statements."""
    return any(type(node) is ir.Call and alike(node, call) for node in ir.walk(statements))


def _waits(node: ir.Name | ir.Attribute) -> bool:
    return (node.id if isinstance(node, ir.Name) else node.attr) in ("block_until_ready", "device_get")


def _subtracted(end: ir.Statement, call: ir.Node, after: list[ir.Statement]) -> str | None:
    """``start`` of `clock() - start`, or of `end - start` after `end = clock()`."""
    if type(end) is ir.Assign and end.value is call and len(end.targets) == 1 and type(end.targets[0]) is ir.Name:
        return next(filter(None, (_difference(node, end.targets[0].id) for node in _measures(after))), None)
    return next(filter(None, (_difference(node, call) for node in _measures([end]))), None)


def _measures(parts: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """The nodes below, but for those of comparisons: whoever compares watches a deadline."""
    for node in parts:
        if isinstance(node, ir.Node) and type(node) is not ir.Compare:
            yield node
            yield from _measures(node.children())


def _difference(node: ir.Node, left: str | ir.Node) -> str | None:
    if type(node) is not ir.Binary or node.op != "-" or type(node.right) is not ir.Name:
        return None
    same = type(node.left) is ir.Name and node.left.id == left if isinstance(left, str) else node.left is left
    return node.right.id if same else None


def _block(parent: ir.Node | None, statement: ir.Statement) -> list[ir.Statement] | None:
    """The statements among which this one stands."""
    for name in ("body", "orelse", "final"):
        block = getattr(parent, name, None)
        if isinstance(block, (list, tuple)) and any(each is statement for each in block):
            return list(block)
    return None
