"""A failure of the analysis itself costs the statement in which it happens, and nothing else.

What the statement binds is unknown afterwards, and so is what it may have changed; the statements inside it are still
looked at. The failure is recorded with its place, for JAX902.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from mypy_extensions import trait

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.state import State, join_states
from jaxlint.analysis.interpreter.evaluation_state import EvaluationState
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.state import Guards

MAX_FAILURES = 20  # of one root; after that nothing more of it is looked at

_Scoped = tuple[tuple[Any, ...], tuple[int, int, int]]


class Failure(NamedTuple):
    """An exception in the analysis: the site of the statement, and what was raised where."""

    site: int
    error: str


def described(error: BaseException) -> str:
    """An exception in one line, with the function that raised it."""
    import traceback

    place = "".join(f" ({each.name}, line {each.lineno})" for each in traceback.extract_tb(error.__traceback__)[-1:])
    return " ".join(f"{type(error).__name__}: {error}".split()) + place


@trait
class Containment(EvaluationState):
    """Mixin of the interpreter."""

    def scoped(self: Interpreter) -> _Scoped:
        """What is changed on the way into a body, a call or a branch and changed back on the way out.

        An exception skips the way out, where it is not that of a ``with`` block. Components have no such state.
        """
        return (
            self.frame, self.context, self.activation, self.chain, self.condition, self.undecided,
            self.uncertain_loops, self.loop_entry, self.returned, self.breaks, self.continues, self.yielded,
            self.pending, self.silent, self.recorded, self.imports_suspended, self.depth, self.synthetic,
            self.clauses, self.passes_around, self.entry_serial, self.imported_since, self.last_captured,
            self.possible,
        ), (len(self.active_summaries), len(self.stack), len(self.running))  # fmt: skip

    def restore_scoped(self: Interpreter, entered: _Scoped) -> None:
        """Change back what an exception has left as it was inside."""
        (
            self.frame, self.context, self.activation, self.chain, self.condition, self.undecided,
            self.uncertain_loops, self.loop_entry, self.returned, self.breaks, self.continues, self.yielded,
            self.pending, self.silent, self.recorded, self.imports_suspended, self.depth, self.synthetic,
            self.clauses, self.passes_around, self.entry_serial, self.imported_since, self.last_captured,
            self.possible,
        ), (summaries, calls, running) = entered  # fmt: skip
        del self.active_summaries[summaries:], self.stack[calls:], self.running[running:]

    def note_failure(self: Interpreter, node: ir.Node, error: Exception) -> None:
        """Record an exception; after too many nothing more is looked at."""
        failures = self.model.failures
        if all(each.site != node.site for each in failures):
            failures.append(Failure(node.site, described(error)))
        if len(failures) >= MAX_FAILURES:
            self.steps = max(self.steps, 2 * self.step_limit + 1)

    def contain(
        self: Interpreter,
        statement: ir.Statement,
        entered: _Scoped,
        state: State,
        guards: Guards,
        error: Exception,
    ) -> None:
        """Go on behind a statement in which the analysis failed."""
        self.restore_scoped(entered)
        self.state, self.guards = state, guards
        self.note_failure(statement, error)
        try:
            self.forget_all(statement)
            self.look_inside(statement)
        except Exception as another:
            self.restore_scoped(entered)
            self.guards = guards
            self.note_failure(statement, another)
        if self.current_state() is None and type(statement) not in _LEAVING:
            self.state = state
        if any(type(each) is ir.Return for each in ir.statements([statement], into_scopes=False)):
            self.returned.append((v.Unknown(v.fresh()), state.fork()))
        if type(statement) in _LEAVING:
            self.state = None

    def forget_all(self: Interpreter, statement: ir.Statement) -> None:
        """What a statement binds is unknown, and so is what the objects that it names hold, and how the functions in it are run."""
        functions: set[int] = set()
        for node in ir.walk([statement], into_scopes=False):
            if type(node) is ir.Lambda:
                functions.add(node.function.site)
            if type(node) is ir.Name:
                owner = self.owner(node.id)
                if owner is not None:
                    value = self.variables(owner).get(node.id, v.UNKNOWN)
                    self.havoc(value)
                    if type(value) is v.FunctionValue:
                        functions.add(value.function.site)
        self.pending = [item for item in self.pending if item[0] is None or item[0].site not in functions]
        for name in set(_bound(statement)):
            self.bind(name, v.Unknown(v.fresh()))

    def look_inside(self: Interpreter, statement: ir.Statement) -> None:
        """Run the blocks of a statement one beside the other, and a plain function for callers that are not seen."""
        if type(statement) is ir.Define and not statement.function.decorators:  # they say how it is run
            self.defined(statement.function, v.UNKNOWN)
        start, arrived = self.state, self.state
        for body in _blocks(statement):
            assert start is not None
            self.state = start.fork()
            self.state.start_consumed({})  # it may have been run in part
            self.undecided += 1
            self.block(body)
            self.undecided -= 1
            arrived = join_states(arrived, self.current_state())
        self.state = arrived


_LEAVING = (ir.Return, ir.Raise, ir.Break, ir.Continue)


def _blocks(statement: ir.Node) -> Iterator[list[ir.Statement]]:
    """The lists of statements in a statement that run in its own scope."""
    for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        for name in ("body", "orelse", "final"):
            block = getattr(part, name, None)
            if isinstance(block, list) and block:
                yield block


def _names(targets: Iterable[ir.Node]) -> Iterator[str]:
    for target in targets:
        if type(target) is ir.Name:
            yield target.id
        elif type(target) is ir.Sequence:
            yield from _names(target.elements)
        elif type(target) is ir.Starred:
            yield from _names([target.value])


def _bound(statement: ir.Statement) -> Iterator[str]:
    """The names that a statement binds in its scope."""
    for node in ir.walk([statement], into_scopes=False):
        targets: Iterable[ir.Node] = ()
        if isinstance(node, (ir.Assign, ir.Delete)):
            targets = node.targets
        elif isinstance(node, (ir.Augment, ir.Annotate, ir.For, ir.Walrus, ir.WithItem)) and node.target is not None:
            targets = (node.target,)
        yield from _names(targets)
        if type(node) is ir.Handler and node.name is not None:
            yield node.name if isinstance(node.name, str) else node.name.id
        elif type(node) is ir.Pattern:
            yield from node.names
        elif type(node) is ir.Define:
            yield node.function.name
        elif type(node) is ir.DefineClass:
            yield node.definition.name
        elif isinstance(node, (ir.Import, ir.ImportFrom)):
            yield from (alias or name.partition(".")[0] for name, alias in node.names if name != "*")
