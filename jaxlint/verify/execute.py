"""Runs fixture code under real JAX, and returns its outcome."""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import itertools
import os
import sys
import tempfile
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax

from jaxlint.verify.fixture import Case, FixtureFile
from jaxlint.verify.instrument import HERE, RECORD, Span, instrumented

_numbers = itertools.count()


@dataclass
class Outcome:
    """What a run gave: a value, or an error and the row of the innermost fixture line in its traceback."""

    value: Any = None
    error: BaseException | None = None
    row: int | None = None
    output: str = ""
    warnings: list[warnings.WarningMessage] = field(default_factory=list)
    traces: int = 0  # how often the most often traced function of the fixture was entered with tracers

    def __str__(self) -> str:
        if self.error is None:
            return f"gives {self.value!r}"
        first_line = (str(self.error).splitlines() or [""])[0]
        where = f" at line {self.row}" if self.row else ""
        return f"raises {type(self.error).__name__}{where}: {first_line}"


Run = Callable[[FixtureFile, Case], Outcome]


def run_case(
    fixture: FixtureFile,
    case: Case,
    *,
    expression: str | None = None,
    expression_row: int = 0,
    within: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext,
    compiled: Callable[[str, str], types.CodeType] | None = None,
    names: dict[str, Any] | None = None,
    count_traces: bool = False,
) -> Outcome:
    """Execute the case as a module of its own, then ``expression`` (the ``# run:`` line if None).

    Every run defines its functions anew, so nothing that JAX keeps for an earlier run is theirs.
    ``within`` is a context for all of it, such as ``jax.disable_jit``; ``compiled`` makes the code
    object of the module (the oracle puts an instrumented one there); ``names`` are put into the
    module's namespace.
    """
    filename = str(fixture.path)
    if expression is None:
        expression, expression_row = case.run, case.run_row
    counting = _TraceCount() if count_traces else None
    if counting is not None:
        names = {RECORD: counting, HERE: None}
        compiled = functools.partial(instrumented, activations=True)
    module = types.ModuleType(f"fixture_{next(_numbers)}")
    module.__file__ = filename
    vars(module).update(names or {})
    make = compiled or (lambda text, name: compile(text, name, "exec", dont_inherit=True))

    def body() -> Any:
        exec(make(fixture.program(case), filename), vars(module))
        return evaluate(expression, expression_row, filename, vars(module)) if expression else None

    with _registered(module), _isolated() as output:
        outcome = _observe(body, filename, within)
    outcome.output = output.getvalue()
    if counting is not None:
        outcome.traces = counting.most
    return outcome


class Runs:
    """Runs cases as they stand, each once: several checks ask what one gives."""

    def __init__(self, run: Run = run_case) -> None:
        self._run = run
        self._outcomes: dict[tuple[Path, int], Outcome] = {}

    def __call__(self, fixture: FixtureFile, case: Case) -> Outcome:
        place = fixture.path, case.start
        if place not in self._outcomes:
            self._outcomes[place] = self._run(fixture, case)
        return self._outcomes[place]


def evaluate(expression: str, row: int, filename: str, namespace: dict[str, Any]) -> Any:
    """Run statements separated by ``;`` as if they stood at ``row``; the value of the last, if it has one."""
    tree = ast.parse(expression, filename)
    ast.increment_lineno(tree, row - 1)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, filename, "exec", dont_inherit=True), namespace)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), filename, "eval", dont_inherit=True), namespace)


def innermost_row(error: BaseException, filename: str) -> int | None:
    """The row of ``filename`` in which ``error`` arose, as far in as the traceback reaches."""
    row = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            row = step.tb_lineno
        step = step.tb_next
    return row


def _observe(
    body: Callable[[], Any],
    filename: str,
    within: Callable[[], contextlib.AbstractContextManager[Any]],
) -> Outcome:
    outcome = Outcome()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # Processes that share compiled programs may see one half written, and then compile it: no matter of the code.
        warnings.filterwarnings("ignore", "Error (reading|writing) persistent compilation cache entry")
        # A coroutine that an earlier case made is collected at any time.
        warnings.filterwarnings("ignore", "coroutine '.*' was never awaited")
        try:
            with within():
                outcome.value = body()
                _wait(outcome.value)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a debugger that finds no input raises SystemExit
            outcome.error = error
            outcome.row = innermost_row(error, filename)
            error.__traceback__ = None  # JAX raises one of its errors again and again, and each time adds to this
    outcome.warnings = list(caught)
    return outcome


def _wait(value: Any) -> None:
    """Let everything that was started come to its end, so that its errors and prints belong to this run."""
    for leaf in jax.tree_util.tree_leaves(value):
        if isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer) and not leaf.is_deleted():
            leaf.block_until_ready()
    jax.effects_barrier()


class _TraceCount:
    """Counts entries of the fixture's functions while one of their arguments holds a tracer, as instrumented code tells them."""

    def __init__(self) -> None:
        self.counts: Counter[Span] = Counter()

    @property
    def most(self) -> int:
        return max(self.counts.values(), default=0)

    def enter(self, span: Span, names: tuple[str, ...], variables: dict[str, Any]) -> None:
        leaves = jax.tree_util.tree_leaves(list(variables.values()))
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            self.counts[span] += 1

    def __call__(self, span: Span, value: Any, here: None) -> Any:
        return value


@contextlib.contextmanager
def _registered(module: types.ModuleType) -> Iterator[None]:
    """Dataclasses and pickle look a class's module up by name."""
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]


@contextlib.contextmanager
def _isolated() -> Iterator[io.StringIO]:
    """Capture output, give debuggers an empty standard input, run in a temporary folder, and
    undo changes to JAX's configuration."""
    output = io.StringIO()
    before = dict(jax.config.values)
    stdin = sys.stdin
    sys.stdin = io.StringIO("")
    folder = os.getcwd()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
                yield output
            os.chdir(folder)  # before the folder goes away
    finally:
        os.chdir(folder)
        sys.stdin = stdin
        after = jax.config.values  # a property that copies all of them
        for name, value in before.items():
            if after.get(name) != value:
                jax.config.update(name, value)
