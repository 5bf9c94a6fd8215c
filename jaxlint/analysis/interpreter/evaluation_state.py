"""What the mixins of the interpreter change while it evaluates code.

`jaxlint.analysis.analyser.Interpreter` gives each of these its first value and says what it is for. They are declared in
one place, since each mixin that stores an attribute has to agree with the others on its type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import trait

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain import values as v
    from jaxlint.analysis.domain.context import Context, Frame
    from jaxlint.analysis.domain.state import Guards, State
    from jaxlint.analysis.interpreter.generators import Yields
    from jaxlint.analysis.interpreter.path_conditions import Condition
    from jaxlint.analysis.model import Activation, Observed
    from jaxlint.ir import nodes as ir

    # A function that was defined, or what a transform made of one, with its frame, value and context.
    Pending = tuple[ir.Function | None, Frame, v.Value, Context]


@trait
class EvaluationState:
    """Base of the mixins."""

    # Where the analysis stands.
    state: State | None  # None where nothing goes on from
    last_state: State | None
    frame: Frame
    context: Context
    activation: Activation
    chain: tuple[int, ...]
    guards: Guards
    callback: tuple[int, str] | None
    condition: Condition | None
    undecided: int
    loop_entry: tuple[ir.For | ir.While | ir.Comprehension, int] | None
    uncertain_loops: int
    passes_around: int
    clauses: int
    decorating: bool  # a definition of a module or a class
    silent: int
    first_traces: int
    synthetic: int
    possible: int
    imports_suspended: int
    # What the body that is run leaves.
    returned: list[tuple[v.Value, State | None]]
    breaks: list[State | None]
    continues: list[State | None]
    yielded: Yields
    pending: list[Pending]
    recorded: list[Observed] | None
    activated: set[int]
    stores: int
    entry_serial: int
    last_captured: bool
    # What is spent.
    depth: int
    steps: int
    step_limit: int
    imported_steps: int
    imported_since: int

    def current_state(self: Interpreter) -> State | None:
        """The current state; None where nothing goes on from here.

        For code that has called other parts of the interpreter: mypy keeps the type to which `state` was narrowed before
        a call, and compiled code checks it.
        """
        return self.state
