"""The abstract interpreter: one root, from its module body to the last function nothing calls."""

from __future__ import annotations

import sys
from typing import Any, Optional, Sequence

from jaxlint import syntax as ir
from jaxlint.semantics import values as v
from jaxlint.semantics.api import Apis
from jaxlint.semantics.calls import Calls
from jaxlint.semantics.context import Context, Frame
from jaxlint.semantics.control import ControlFlow
from jaxlint.semantics.expressions import Expressions
from jaxlint.semantics.keys import Keys
from jaxlint.semantics.members import Members
from jaxlint.semantics.methods import Methods
from jaxlint.semantics.model import Activation, Demand, Kind, Model, Names
from jaxlint.semantics.origin import Origin
from jaxlint.semantics.state import State
from jaxlint.semantics.statements import Statements

# Steps one root may take: about a hundred for each node, and never less than for a page of code.
STEPS_PER_NODE = 120
MIN_STEPS = 200_000

# Demands that stay harmful where the author expects or catches a failure.
_NOT_FAILURES = frozenset({Kind.NAME_USED})
_KEY_KINDS = frozenset({Kind.KEY_REUSE, Kind.KEY_LOOP, Kind.KEY_SHARED})
_SILENT_HAZARDS = _KEY_KINDS | {
    Kind.PRINT, Kind.DEBUG_PRINT_FORMATTED, Kind.DISCARDED, Kind.DEBUGGER, Kind.NAME_USED,
    Kind.TRANSFORM_IN_HAIKU, Kind.SILENT, Kind.LEGACY_KEY,
}  # fmt: skip


class Interpreter(Statements, Expressions, Members, Calls):
    """State of one analysis. The mixins hold the semantics; this class holds what they share."""

    def __init__(self, unit: ir.Unit, record: bool = False) -> None:
        self.unit = unit
        self.model = Model(unit)
        self.recorded: Optional[list[Any]] = self.model.values if record else None
        self.api = Apis(self)
        self.methods = Methods(self)
        self.transforms = ControlFlow(self)
        self.keys = Keys(self)
        # Where the analysis stands.
        self.state: Optional[State] = State()
        self.last_state: Optional[State] = self.state
        self.module_frame = Frame(unit.module, None)
        self.frame = self.module_frame
        self.context = Context()
        self.activation = Activation(unit.module, "module", "eager")
        self.chain: tuple[int, ...] = ()
        self.guards: Any = ()
        self.loop_entry: Optional[tuple[Any, int]] = None
        self.returned: list[Any] = []
        self.yielded: list[Any] = []
        self.breaks: list[Any] = []
        self.continues: list[Any] = []
        self.pending: list[Any] = []
        self.silent = 0
        self.last_captured = False  # whether the call that ended left a closure behind
        self.root: Optional[ir.Unit] = None  # the root that is being followed
        self.names_guarded = 0  # inside `try` whose handler expects names to be missing
        # What it remembers.
        self.memo: dict[Any, Any] = {}
        self.contexts: dict[int, int] = {}
        self.activated: set[int] = set()
        self.marked: dict[int, set[str]] = {}
        self.last_callee: dict[int, v.Value] = {}
        self.last_calls: dict[int, Any] = {}
        self.bases: dict[int, v.Value] = {}
        self.right_values: dict[int, v.Value] = {}
        self.found: dict[tuple[str, int], Demand] = {}
        self.entered_idents: set[Any] = set()  # objects of which a part was looked at
        self.reported_keys: set[Any] = set()
        self.reported_shared: set[Any] = set()
        self.imports: dict[str, str] = {}
        # What it has spent.
        self.effects = 0  # changes to what is older than the current call
        self.stores = 0  # those that may make something new reachable from it
        self.entry_serial = 0
        self.depth = 0
        self.stack: list[int] = []
        self.steps = 0
        self.step_limit = max(MIN_STEPS, STEPS_PER_NODE * len(unit.nodes))

    def analyse(self, roots: Sequence[ir.Unit] = ()) -> Model:
        """Interpret the module and the roots that call into it, then what nothing called."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 20_000))
        try:
            assert self.state is not None
            self.state.open_frame(self.module_frame.serial, {})
            self.block(self.unit.module.body)
            if self.state is None:  # a module that ends by raising or exiting
                self.state = self.last_state if self.last_state is not None else State()
            for root in roots:
                self.follow(root)
            self.run_pending()
        finally:
            sys.setrecursionlimit(limit)
        self.model.demands = sorted(self.found.values(), key=lambda d: (d.site, d.kind))
        self.model.names = self.names()
        return self.model

    def close(self) -> None:
        """Let go of everything. The parts refer to the whole; undone, they are freed without a garbage collection."""
        vars(self).clear()

    def follow(self, root: ir.Unit) -> None:
        """Interpret the body of a file that imports this one; what it defines runs as well."""
        assert self.state is not None
        self.root = root
        frame = Frame(root.module, None)
        self.state.open_frame(frame.serial, {})
        outer, self.frame = self.frame, frame
        before = self.state.fork()
        # What this file leaves to be run waits: the root may call it.
        waiting, self.pending = self.pending, []
        self.block(root.module.body)
        if self.state is None:
            self.state = before
        self.run_pending()
        self.pending = waiting
        self.frame = outer
        self.root = None

    # --- demands ------------------------------------------------------------------------------

    def demand(
        self,
        kind: str,
        node: Any,
        operand: Any,
        value: v.Value,
        api: Optional[str] = None,
        parameter: Optional[str] = None,
        detail: Any = None,
        at: Any = None,
        origin: Optional[Origin] = None,
    ) -> None:
        """Record a demand that cannot be met, unless the author expects it to fail."""
        guard = self.context.guard
        if self.silent or guard == "all":
            return
        if guard == "errors" and kind not in _SILENT_HAZARDS:
            return
        if guard == "message" and kind in (Kind.FORMAT, Kind.PRINT):
            return
        if kind == Kind.HOST_METHOD and self.asked_for(str(api)):
            return
        site = (at or node).site
        if (kind, site) in self.found:
            return
        self.found[(kind, site)] = Demand(
            kind, site, operand.site, value, origin or value.origin, api, parameter, detail, self.activation, self.chain
        )

    def asked_for(self, attribute: str) -> bool:
        """Whether the code runs only where `hasattr` found ``.attribute``."""
        quoted = repr(attribute.removeprefix("."))
        return any(
            polarity is True and isinstance(key, str) and key.startswith("hasattr(") and quoted in key
            for key, polarity in self.guards
        )

    # --- budgets ------------------------------------------------------------------------------

    def over_budget(self) -> bool:
        if self.steps <= self.step_limit:
            return False
        self.budget(f"more than {self.step_limit} steps")
        return True

    def budget(self, text: str) -> None:
        if text not in self.model.budget_reached:
            self.model.budget_reached.append(text)

    # --- names for fixes ----------------------------------------------------------------------

    def names(self) -> Names:
        """Module-level names of libraries, to write code in the file's own style."""
        bound: dict[str, str] = {}
        for statement in self.unit.module.body:
            if type(statement) is ir.Import:
                for dotted, alias in statement.names:
                    if alias is not None:
                        bound.setdefault(dotted, alias)
                    else:
                        bound.setdefault(dotted.partition(".")[0], dotted.partition(".")[0])
            elif type(statement) is ir.ImportFrom and not statement.level:
                for name, alias in statement.names:
                    if name != "*":
                        bound.setdefault(f"{statement.module}.{name}", alias or name)
        return Names(bound, self.unit.module.locals)
