"""What traced code asks of the host: random numbers, the time, files. It is asked once, while the code is traced.

Only code that is certainly staged counts, and only under a transform that runs its function more often
than it traces it: the shapes that `jax.eval_shape` is after do not hang on a number drawn.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE, Context, Trace
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.keys.ready_keys import ready_key
from jaxlint.analysis.models.frameworks import MODULE_FAMILIES
from jaxlint.analysis.shapes.samplers import drawn_on_host
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import host_state

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Transforms that keep what they traced, or repeat it, by the last part of their name.
RUNS_AGAIN = frozenset({
    "jit", "pjit", "pmap", "filter_jit", "filter_pmap", "scan", "while_loop", "fori_loop", "map", "pallas_call", "export",
})  # fmt: skip
_MAKING = frozenset({"setup", "__init__", "__post_init__"})
# Clocks that give numbers, and of which type.
_TELLING = {
    f"time.{name}{ending}": "int" if ending else "float"
    for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time") for ending in ("", "_ns")
}  # fmt: skip
# Code behind these questions runs while parameters are made, which happens once.
_MAKING_PARAMETERS = re.compile(r"\b(?:running_init|is_initializing|is_mutable_collection|has_variable)\(")


@hazard_class(consequence=Consequence.PERSISTENT)
class HostRandomInTracedCode(Hazard):
    """NumPy's or Python's random numbers are drawn in code that JAX traces, which runs once.

    Site: the call in traced code; api: "numpy.random.normal", "random.random" .
    """

    shared: bool = False  # by a function that is only mapped, and whose elements all get the one number
    ready: str = ""  # the key that the function has at hand


@hazard_class(consequence=Consequence.SILENT)
class HostClockOrIoInTracedCode(Hazard):
    """The time, a file or the network is asked for in code that JAX traces, which runs once.

    Site: the call in traced code; api: "time.time", "builtins.open" .
    """


class HostEffects(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Generator made with a seed -> the trace it was made in.
        self.seeded: dict[v.Ident, int | None] = self.i.per_module({})

    def call(self, name: str, call: Call) -> v.Value | None:
        """The value of a call that this is about; None for any other."""
        made = host_state.generator(name)
        if made is not None:
            return self.generator(name, made, call)
        hazard: Hazard | None = HostRandomInTracedCode() if host_state.draws(name) else None
        self.i.events.host_called(name, call)
        does_io = host_state.does_io(name) and not _only_reads(name, call) and not self.makes_a_module()
        if does_io or host_state.clock(name, len(call.args)):
            hazard = HostClockOrIoInTracedCode()
        if hazard is None:
            return None
        self.i.touched.append(0)  # no call that does this may be taken for another
        if not self.record(hazard, name, call):
            number: v.Value | None = self.i.shared_draws.drawn(name, call)
            return v.Static(_TELLING[name], v.fresh()) if name in _TELLING else number
        arrays = any(leaf.cls is not None or type(leaf) is v.Array for leaf in self.i.leaves(call.all()))
        return v.UNKNOWN if arrays or not name.startswith("numpy.") else None

    def makes_a_module(self) -> bool:
        """Whether a module of a framework is being made or set up, which happens while code is traced: it may read its weights."""
        return any(
            frame.cls is not None and frame.cls.family in MODULE_FAMILIES and frame.scope.name in _MAKING
            for frame in self.i.running
            if isinstance(frame.scope, ir.Function)
        )

    def generator(self, name: str, cls: str, call: Call) -> v.Value:
        """A generator. Seeded in traced code it gives the same numbers each time, as the code says."""
        seed = call.get(0, "x" if name == "random.Random" else "seed")
        seeded = bool(call.star or call.double_star) or not (seed is None or v.is_none(seed))
        if not seeded:
            self.record(HostRandomInTracedCode(), name, call)
        made = v.OpaqueInstance(cls, (), v.fresh())
        context: Context = self.i.context
        # One without a seed is reported where it is made; the trace it belongs to answers for its draws.
        self.seeded[made.ident] = context.trace.serial if context.trace is not None else None  # type: ignore[index]
        return made

    def drawn(self, generator: v.OpaqueInstance, method: str, call: Call) -> v.Value:
        """A method of a generator. One from outside draws once, while the code is traced."""
        self.i.touched.append(0)
        trace = self.i.context.trace
        here = trace is not None and self.seeded.get(generator.ident) == trace.serial  # type: ignore[arg-type]
        number: v.Value | None = None
        if host_state.generator_draws(generator.name, method) and not here:
            name = f"{generator.name}.{method}"
            if not self.record(HostRandomInTracedCode(), name, call):
                number = self.i.shared_draws.drawn(name, call, generator.ident[0])  # type: ignore[index]
        aval = (
            drawn_on_host(self.i, f"{generator.name}.{method}", call) if generator.name.startswith("numpy.") else v.ANY
        )
        return number or (v.Unknown(v.fresh()) if aval.shape is None else v.Host(aval))

    def shared(self, name: str, call: Call) -> None:
        """Record a draw by a mapped function, with which each element computes."""
        hazard = HostRandomInTracedCode(shared=True)
        self.i.report(hazard, call.node, call.node, v.UNKNOWN, api=name, origin=self.i.context.origin)

    def record(self, hazard: Hazard, name: str, call: Call) -> bool:
        """Record the call, if it is made while code is traced that will run without it."""
        if not runs_without_python(self.i):
            return False
        if isinstance(hazard, HostRandomInTracedCode):
            if is_called_once(self.i.unit, call.node.site):
                return True
            hazard.ready = ready_key(self.i, call.node.site)
        self.i.report(hazard, call.node, call.node, v.UNKNOWN, api=name, origin=self.i.context.origin)
        return True


def _only_reads(name: str, call: Call) -> bool:
    """Whether a file is opened for reading: a table that is read while code is traced becomes a constant, as is meant."""
    if name not in ("builtins.open", "io.open") or call.double_star or call.star:
        return False
    mode = call.get(1, "mode")
    if mode is None:
        return True
    return type(mode) is v.Const and isinstance(mode.value, str) and not set(mode.value) & set("wax+")


def is_called_once(unit: ir.Unit, site: int) -> bool:
    """Whether a place is in a function without parameters that a script calls at its top level, once: one draw is all there is."""
    functions = [each for each in unit.ancestors(site) if isinstance(each, ir.Function)]
    function = functions[-1] if functions else None
    module = unit.module_of(site)
    if function is None or function.parameters or unit.scope(function.site) is not module or module.cells:
        return False
    reads = [node for node in ir.walk(module.body) if isinstance(node, ir.Name) and node.id == function.name]
    call = unit.parent(reads[0].site) if len(reads) == 1 else None
    if type(call) is not ir.Call or call.func is not reads[0]:
        return False
    around = (ir.Scope, ir.Comprehension, ir.For, ir.While)
    return not any(isinstance(each, around) and each is not module for each in unit.ancestors(call.site))


def runs_without_python(interpreter: Interpreter) -> bool:
    """Whether the code is traced now and runs later, perhaps many times, without Python."""
    context: Context = interpreter.context
    if context.stage != STAGED_CODE or context.origin is None:
        return False
    for key, polarity in interpreter.guards:
        if polarity is True and _MAKING_PARAMETERS.search(key):
            return False
    trace = context.trace
    while trace is not None and trace.transform not in RUNS_AGAIN:
        trace = trace.outer
    return trace is not None


def outlives_repetition(interpreter: Interpreter, born: int, trace: Trace) -> bool:
    """Whether the innermost body that runs more often than it is traced began after ``born``."""
    step: Trace | None = trace
    while step is not None and step.transform not in RUNS_AGAIN:
        step = step.outer
    return step is not None and born < step.serial and runs_without_python(interpreter)
