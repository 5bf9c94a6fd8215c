"""Ways to run code otherwise than it stands: in another context, muted, or on a copy of the state.

Most last for a ``with`` block, and end with it on an exception too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mypy_extensions import trait

from jaxlint.analysis.domain.context import Context
from jaxlint.analysis.domain.state import State
from jaxlint.analysis.interpreter.evaluation_state import EvaluationState

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Frame
    from jaxlint.analysis.model import Activation


@trait
class Scoped(EvaluationState):
    """Mixin of the interpreter."""

    @contextmanager
    def within(self: Interpreter, context: Context, frame: Frame | None = None) -> Iterator[None]:
        """Run code in another context, and in another frame where one is given."""
        outer, outer_frame = self.context, self.frame
        self.context = context
        if frame is not None:
            self.frame = frame
        try:
            yield
        finally:
            self.context, self.frame = outer, outer_frame

    @contextmanager
    def reporting_for(self: Interpreter, activation: Activation, chain: tuple[int, ...]) -> Iterator[None]:
        """Report what an earlier run of a body has shown: in that activation, by that chain of calls."""
        outer, outer_chain = self.activation, self.chain
        self.activation, self.chain = activation, chain
        try:
            yield
        finally:
            self.activation, self.chain = outer, outer_chain

    @contextmanager
    def muted(self: Interpreter) -> Iterator[None]:
        """Run code only for what it gives: nothing is reported."""
        self.silent += 1
        try:
            yield
        finally:
            self.silent -= 1

    @contextmanager
    def on_a_copy(self: Interpreter) -> Iterator[State]:
        """Run code on a copy of the state, which is dropped afterwards."""
        state = self.state
        assert state is not None
        copy = state.fork()
        self.state = copy
        try:
            yield copy
        finally:
            self.state = state

    def resume(self: Interpreter, state: State | None) -> None:
        """Go on in a state that was left, or in a fork of it."""
        self.state = state

    def disable_jit(self: Interpreter, disabled: bool) -> None:
        """Have compiled functions run as they are written from here on, or compiled again."""
        self.context = self.context.but(transparent=disabled)

    @contextmanager
    def unrecorded(self: Interpreter) -> Iterator[None]:
        """Run code of whose values the value log says nothing."""
        recorded, self.recorded = self.recorded, None
        try:
            yield
        finally:
            self.recorded = recorded

    @contextmanager
    def trial(self: Interpreter) -> Iterator[State]:
        """Run code to see what it gives: muted, on a copy of the state, and without counting as having run."""
        activated = set(self.activated)
        try:
            with self.muted(), self.on_a_copy() as state:
                yield state
        finally:
            self.activated = activated

    @contextmanager
    def first_trace(self: Interpreter) -> Iterator[State]:
        """Try code as JAX traces it before it settles the types that a loop carries: what fails for certain is reported."""
        self.first_traces += 1
        try:
            with self.trial() as state:
                yield state
        finally:
            self.first_traces -= 1

    @contextmanager
    def on_host(self: Interpreter, callback: tuple[int, str]) -> Iterator[None]:
        """Run a host callback; ``callback`` has the site and name of what takes it."""
        outer, self.callback = self.callback, callback
        try:
            yield
        finally:
            self.callback = outer

    @contextmanager
    def synthetic_calls(self: Interpreter) -> Iterator[None]:
        """Run calls that the code does not make, for callers that are not seen."""
        self.synthetic += 1
        try:
            yield
        finally:
            self.synthetic -= 1
