"""The abstract interpreter: one root, from its module body to the last function nothing calls."""

from __future__ import annotations

import collections
import itertools
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from jaxlint.analysis.beliefs import Beliefs
from jaxlint.analysis.budgets import LINT, Budget
from jaxlint.analysis.checkers.all_checkers import CHECKERS
from jaxlint.analysis.checkers.library_attributes import UnknownAttribute
from jaxlint.analysis.checkers.numpy_only import NumpyOnlyArrayMethod
from jaxlint.analysis.component import Component
from jaxlint.analysis.containment import Containment
from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.context import Context, Frame
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.state import State
from jaxlint.analysis.domain.symbolic import Symbolic
from jaxlint.analysis.events import Events
from jaxlint.analysis.interpreter.calls import Calls
from jaxlint.analysis.interpreter.correlations import Correlations
from jaxlint.analysis.interpreter.expressions import Expressions
from jaxlint.analysis.interpreter.generators import Yields
from jaxlint.analysis.interpreter.imports import imported_anew
from jaxlint.analysis.interpreter.members import Members
from jaxlint.analysis.interpreter.methods import Methods
from jaxlint.analysis.interpreter.path_conditions import Condition, PathConditions
from jaxlint.analysis.interpreter.scoped import Scoped
from jaxlint.analysis.interpreter.statements import Statements
from jaxlint.analysis.interpreter.version_guards import ReleasesAt
from jaxlint.analysis.keys.carried_keys import CarriedKeys
from jaxlint.analysis.keys.constant_keys import ConstantKeys
from jaxlint.analysis.keys.consumption import Keys
from jaxlint.analysis.keys.intentional_reuse import IntentionalReuse
from jaxlint.analysis.keys.key_arrays import KeyArrays
from jaxlint.analysis.keys.key_elements import KeyElements
from jaxlint.analysis.keys.layer_keys import LayerKeys
from jaxlint.analysis.keys.sampler_arguments import Samplers
from jaxlint.analysis.keys.typed_keys import TypedKeys
from jaxlint.analysis.model import Activation, Model, Names
from jaxlint.analysis.models.annotations import Annotations
from jaxlint.analysis.models.api import Apis
from jaxlint.analysis.models.equinox import Equinox
from jaxlint.analysis.models.expected_failures import Expected
from jaxlint.analysis.models.frameworks import Framework
from jaxlint.analysis.models.haiku import Haiku
from jaxlint.analysis.models.haiku_init import HaikuInit
from jaxlint.analysis.models.host_effects import HostEffects
from jaxlint.analysis.models.host_views import HostViews
from jaxlint.analysis.models.iterators import Iterators
from jaxlint.analysis.models.layers import Layers
from jaxlint.analysis.models.libraries import Libraries
from jaxlint.analysis.models.lifting import Lifting
from jaxlint.analysis.models.linen import Linen
from jaxlint.analysis.models.linen_modules import LinenModules
from jaxlint.analysis.models.linen_parameters import LinenParameters
from jaxlint.analysis.models.linen_scope import LinenScope
from jaxlint.analysis.models.module_setup import ModuleSetup
from jaxlint.analysis.models.nnx import NnxObjects
from jaxlint.analysis.models.parameter_uses import ParameterUses
from jaxlint.analysis.models.project_names import ProjectNames
from jaxlint.analysis.models.pytree_classes import PyTreeClasses
from jaxlint.analysis.models.pytrees import PyTrees
from jaxlint.analysis.models.receivers import Receivers
from jaxlint.analysis.models.shared_draws import SharedDraws
from jaxlint.analysis.models.test_discovery import Runners
from jaxlint.analysis.models.x64 import leaves_x64_alone
from jaxlint.analysis.presumption import Presumption
from jaxlint.analysis.transforms.control_flow import ControlFlow
from jaxlint.analysis.transforms.counters import Counters
from jaxlint.analysis.transforms.returns import Returns
from jaxlint.ir import nodes as ir
from jaxlint.project.custom_names import NOTHING, Conventions
from jaxlint.project.target import NEWEST, Target
from jaxlint.source.library_sources import is_source

if TYPE_CHECKING:
    from jaxlint.analysis.domain.call import Call
    from jaxlint.analysis.domain.state import Guards
    from jaxlint.analysis.interpreter.evaluation_state import Pending
    from jaxlint.analysis.interpreter.module_summary import Evaluated
    from jaxlint.analysis.model import Observed
    from jaxlint.project.resolver import Loader

_Table = TypeVar("_Table", dict[Any, Any], set[Any])


class Interpreter(Statements, Expressions, Members, Calls, Containment, Scoped):
    """State of one analysis. The mixins hold the evaluation; this class holds what they share."""

    __deletable__ = ("root",)  # mypyc lets `close` delete no other

    def __init__(
        self, unit: ir.Unit, detailed: bool = False, loader: Loader | None = None, budget: Budget = LINT
    ) -> None:
        self.unit = unit
        self.allowed = budget
        self.components: list[Component] = []
        self.conventions: Conventions = NOTHING
        self.target: Target = NEWEST
        self.loader = loader
        self.module_tables: list[dict[Any, Any] | set[Any]] = []
        self.events = Events()
        self.model = Model(unit)
        self.detailed = detailed
        self.recorded: list[Observed] | None = self.model.values
        self.api = Apis(self)
        self.releases = ReleasesAt(self)
        self.methods = Methods(self)
        self.transforms = ControlFlow(self)
        self.counters = Counters(self)
        self.keys = Keys(self)
        self.intentional_reuse = IntentionalReuse(self)
        self.path_conditions = PathConditions(self)
        self.correlations = Correlations(self)
        self.key_arrays = KeyArrays(self)
        self.key_elements = KeyElements(self)
        self.carried_keys = CarriedKeys(self)
        self.layer_keys = LayerKeys(self)
        self.samplers = Samplers(self)
        self.constant_keys = ConstantKeys(self)
        self.host_effects = HostEffects(self)
        self.host_views = HostViews(self)
        self.iterators = Iterators(self)
        self.shared_draws = SharedDraws(self)
        self.expected = Expected(self)
        self.runners = Runners(self)
        self.layers = Layers(self)
        self.haiku = Haiku(self)
        self.haiku_init = HaikuInit(self)
        self.equinox = Equinox(self)
        self.libraries = Libraries(self)
        self.linen = Linen(self)
        self.linen_scope = LinenScope(self)
        self.linen_parameters = LinenParameters(self)
        self.lifting = Lifting(self)
        self.module_setup = ModuleSetup(self)
        self.no_framework = Framework(self)
        self.frameworks: dict[str, Framework] = {
            "haiku": self.haiku, "linen": LinenModules(self), "equinox": self.equinox,
        }  # fmt: skip
        self.nnx = NnxObjects(self)
        self.returns = Returns(self)
        self.pytrees = PyTrees(self)
        self.pytree_classes = PyTreeClasses(self)
        self.typed_keys = TypedKeys(self)
        self.symbolic = Symbolic(self)
        self.annotations = Annotations(self)
        self.parameter_uses = ParameterUses(self)
        self.presumption = Presumption(self)
        self.receivers = Receivers(self)
        self.beliefs = Beliefs(self)
        self.project_names = ProjectNames(self)
        for checker in CHECKERS:
            checker(self)
        # Where the analysis stands.
        self.callback: tuple[int, str] | None = None  # site and name of what takes the host callback that is run
        self.state: State | None = State()
        self.last_state: State | None = self.state
        self.module_frame = Frame(unit.module, None)
        self.frame = self.module_frame
        self.context = Context()
        self.activation = Activation(unit.module, "module", "eager")
        self.chain: tuple[int, ...] = ()
        self.guards: Guards = ()
        self.condition: Condition | None = None  # the innermost one around of which the outcome is not known
        self.undecided = 0  # conditions around, of which the outcome is not known
        self.uncertain_loops = 0  # loops around of which it is not known how often they are passed
        self.loop_entry: tuple[ir.For | ir.While | ir.Comprehension, int] | None = None
        self.returned: list[tuple[v.Value, State | None]] = []
        self.breaks: list[State | None] = []
        self.continues: list[State | None] = []
        self.yielded = Yields(self)
        self.pending: list[Pending] = []
        self.silent = 0
        self.first_traces = 0  # how many of what mutes are first traces
        self.last_captured = False  # whether the call that ended may have left a closure behind
        # The modules that are imported, as their bodies leave them.
        self.world = State()
        self.modules: dict[str, Evaluated] = {}  # by file, of ``evaluated``
        self.evaluation: Evaluated | None = None  # the module that is read here, where this is no root
        self.around: Interpreter | None = None  # and who reads it
        self.root: Interpreter = self
        self._has_32_bits: bool | None = None  # None before it is asked
        self.imports_suspended = 0  # while imported names are not looked up
        self.imported_steps = self.imported_since = 0  # spent in them; where the outermost call began
        # (file, name) -> from where a module hands it on; None where it does not.
        self.onward: dict[tuple[str, str], Any] = {}
        self.root_names: dict[str, bool] = {}  # paths, and whether they lead to the root
        self.filenames: dict[int, str] = {unit.module.site: unit.filename}
        # What it remembers.
        self.memo: dict[Any, Any] = {}
        self.active_summaries: list[Any] = []  # those of the calls that are being run
        self.muted_memo: dict[Any, Any] = {}  # of runs that reported nothing
        self.guard_keys: dict[int, str | None] = {}  # by site
        # Function and whether in silence -> how often it was run with each kind of call.
        self.contexts: dict[tuple[int, bool], collections.Counter[Any]] = {}
        self.context_steps: collections.Counter[tuple[int, bool]] = collections.Counter()  # taken in all contexts of it
        self.loop_runs: dict[tuple[int, int], int] = {}  # by frame and site
        self.activated: set[int] = set()
        self.marked: dict[int, set[str]] = self.per_module({})
        self.last_callee: dict[int, v.Value] = self.per_module({})
        self.last_calls: dict[int, Call] = self.per_module({})
        self.bases: dict[int, v.Value] = {}
        self.right_values: dict[int, v.Value] = {}
        self.found: dict[tuple[type[hazards.Hazard], int], hazards.Hazard] = {}
        # What was found where a body is traced before the types of its carry are settled.
        self.found_first: dict[tuple[type[hazards.Hazard], int], hazards.Hazard] = {}
        self.entered_idents: set[v.Ident] = self.per_module(set())  # objects of which a part was looked at
        self.reported_keys: dict[v.Ident, int] = {}  # each with how deep in calls its second use is
        self.clauses = 0  # of comprehensions around, which are run more than once
        self.passes_around = 1  # how often a body is run for the loops around it whose passes are certain
        self.reported_shared: set[Any] = set()
        self.imports: dict[str, str] = {}
        # What it has spent.
        self.written: list[int] = []  # locations that were written by a call that is younger than they are
        # What was done to objects, and can be done again.
        self.effects: list[tuple[Callable[[v.Ident], None], v.Ident]] = []
        self.refusals = 0  # of calls and loops that a budget keeps from being looked at
        self.touched: list[int] = []  # serial numbers of other objects that were changed; 0 is the world outside
        self.stores = 0  # changes that may make something new reachable from what is older than the current call
        self.entry_serial = 0
        self.depth = 0
        self.decorating = False
        self.synthetic = 0  # calls around that are made up for callers that are not seen
        self.possible = (
            0  # calls around that go to one of several callees: what two of them do need not happen in one run
        )
        self.stack: list[int] = []
        self.running: list[Frame] = []  # of the functions on the stack
        self.steps = 0
        self.step_limit = max(budget.steps, self.steps_for(len(unit.own)))

    @property
    def has_32_bits(self) -> bool:
        """Whether numbers have 32 bits in the root, for certain."""
        if self._has_32_bits is None:
            loader = None if self.model.is_test else self.loader
            self._has_32_bits = leaves_x64_alone(self.unit, loader) if self.root is self else self.root.has_32_bits
        return self._has_32_bits

    def per_module(self, table: _Table) -> _Table:
        """Declare a table as facts about the module that is interpreted: a root that imports the module takes them over.

        Any other table belongs to the analysis of one root.
        """
        self.module_tables.append(table)
        return table

    def steps_for(self, nodes: int) -> int:
        return self.allowed.steps_per_node * nodes

    def analyse(self) -> Model:
        """Interpret the module, then what nothing called."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 20_000))
        try:
            assert self.state is not None
            self.state.open_frame(self.module_frame.serial, {})
            self.block(self.unit.module.body)
            if self.current_state() is None:  # a module that ends by raising or exiting
                self.state = self.last_state if self.last_state is not None else State()
            serial, last = self.module_frame.serial, self.state
            anew = {name: last.frames[serial].get(name, v.UNKNOWN) for name in imported_anew(self.unit.module)}
            for name in anew:  # what calls the functions of the module may run before the last import
                last.store(serial, name, v.Unknown(v.fresh()))
            self.run_pending()
            for name, value in anew.items():
                last.store(serial, name, value)
            self.pytree_classes.finish()
        finally:
            sys.setrecursionlimit(limit)
        self.model.hazards = sorted(
            self.without_consequences(filter(self.keys.is_observed, {**self.found_first, **self.found}.values())),
            key=lambda d: (self.model.file(d.site), d.site, type(d).__name__),
        )
        self.model.names = Names.of(self.unit.module)
        return self.model

    def without_consequences(self, found: Iterable[hazards.Hazard]) -> list[hazards.Hazard]:
        """The hazards, without those whose operand contains another failure: the analysis goes on behind a failure."""
        found = list(found)
        failing: dict[int, set[int]] = {}  # failures inside of an expression, by its site
        for each in found:
            if each.consequence is hazards.Consequence.IMMEDIATE:
                around = itertools.takewhile(
                    lambda node: isinstance(node, ir.Expression), self.unit.ancestors(each.site)
                )
                for site in (each.site, *(node.site for node in around)):
                    failing.setdefault(site, set()).add(each.site)
        return [each for each in found if not failing.get(each.operand, set()) - {each.site}]

    def close(self) -> None:
        """Delete the references back to the interpreter, so that reference counts free it without a garbage collection."""
        for component in self.components:
            del component.i
        for table in (self.effects, self.memo, self.muted_memo):  # bound methods, and summaries with such effects
            table.clear()
        del self.root, self.yielded.i

    # --- hazards ------------------------------------------------------------------------------

    def report(
        self,
        hazard: hazards.Hazard,
        node: ir.Node,
        operand: ir.Node,
        value: v.Value,
        api: str | None = None,
        parameter: str | None = None,
        at: ir.Node | None = None,
        origin: Origin | None = None,
    ) -> None:
        """Record a hazard at a place, unless the author expects it to fail or a condition may exclude it."""
        immediate = hazard.consequence is hazards.Consequence.IMMEDIATE
        if immediate and self.context.guard == "errors" and self.state is not None:
            self.state.failed = True
        site = (at or node).site
        excluded = self.exclusion(hazard, node, value, api)
        if (excluded is not None and not self.detailed) or self.is_in_source(site):
            return
        reason = origin or value.origin
        convention = self.context.convention
        hazard.convention = convention if reason is None else reason.convention_within(convention)
        if self.silent and excluded is None and hazard.convention:
            return
        table = self.found_first if self.silent else self.found
        known = table.get((type(hazard), site))
        if excluded is None and known is not None and (hazard.convention or not known.convention):
            return
        hazard.site, hazard.operand, hazard.value, hazard.origin = site, operand.site, value, reason
        hazard.api, hazard.parameter = api, parameter
        hazard.whole_origin = None
        hazard.activation, hazard.chain = self.activation, self.chain
        if excluded is None:
            table[type(hazard), site] = hazard
        else:
            self.model.excluded.append((hazard, excluded))

    def is_in_source(self, site: int) -> bool:
        """Whether a place is in the source that stands for a library."""
        return site not in self.unit and is_source(self.filenames[self.unit.module_of(site).site])

    def exclusion(
        self, hazard: hazards.Hazard, node: ir.Node, value: v.Value, api: str | None
    ) -> hazards.Exclusion | None:
        """Why a hazard is not to be reported where the interpreter is now; None where it is."""
        guard, kind = self.context.guard, type(hazard)
        raises = hazard.consequence in hazards.RAISING
        if self.silent:
            traced = self.silent == self.first_traces  # by JAX as well: whatever mutes is a first trace
            if not (traced and raises and hazard.decided_by == "place"):
                return hazards.Exclusion.MUTED
        if guard == "all":
            return hazards.Exclusion.EXPECTED
        if type(value) is v.Undecided and value.maybe_static:
            # What a convention presumes to be an array is printed as one; `filter_jit` may take a number for static.
            tracer = hazard.decided_by == "tracer" and not self.context.convention
            if tracer or not hazard.of_any_value:
                return hazards.Exclusion.STATIC
        if hazard.only_arrays and type(value) is v.Array and value.presumed:
            return hazards.Exclusion.OBJECT
        if guard == "errors" and raises:
            return hazards.Exclusion.CAUGHT
        if self.path_conditions.may_exclude(hazard, node, value):
            return hazards.Exclusion.CONDITION
        if guard == "message" and kind in (hazards.FormatOfTracer, hazards.PrintOfTracer):
            return hazards.Exclusion.ERROR_MESSAGE
        if kind in (hazards.HostMethodOnTracer, NumpyOnlyArrayMethod, UnknownAttribute) and self.asked_for(str(api)):
            return hazards.Exclusion.ATTRIBUTE_TEST
        return None

    def asked_for(self, attribute: str) -> bool:
        """Whether the code runs only where `hasattr` found ``.attribute``."""
        quoted = repr(attribute.removeprefix("."))
        return any(polarity is True and key.startswith("hasattr(") and quoted in key for key, polarity in self.guards)

    # --- budgets ------------------------------------------------------------------------------

    def over_budget(self) -> bool:
        if self.steps <= self.step_limit:
            return False
        self.budget(f"more than {self.step_limit} steps")
        return True

    def give_up(self) -> None:
        """Nothing more is looked at, nor said: no new call was entered for as long again, and still there is no end."""
        self.silent += 1
        self.budget(f"more than {2 * self.step_limit} steps, and no further")

    def budget(self, text: str) -> None:
        self.refusals += 1
        if text not in self.model.budget_reached:
            self.model.budget_reached.append(text)
