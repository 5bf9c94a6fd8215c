"""What JAX asks of its process once: the environment when it is imported, the devices when it first needs them.

JAX reads the variables that its options are called after (`JAX_ENABLE_X64`) while it is imported. Its backend starts
with the first array or the first question about devices; XLA reads `XLA_FLAGS` then, and a process that is forked
later may hang. What has certainly happened by a point of the program is kept in the state, as a field of the process.

Source: `jax/_src/config.py` and `jax/_src/xla_bridge.py`; each case was run in a process of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import EAGER, STAGED_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.models.x64 import names_option
from jaxlint.ir import nodes as ir
from jaxlint.source.libraries import LIBRARIES

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.project.resolver import Place

# Libraries that import JAX when they are imported.
_BRING_JAX = frozenset(each.name for each in LIBRARIES if each.imports_jax)
# Who starts processes hands on the environment, and who imports again has it read again.
_HANDS_ON = frozenset({
    "subprocess", "multiprocessing", "concurrent", "importlib", "ray", "dask", "joblib", "submitit", "pexpect", "sh", "torch",
})  # fmt: skip
_READ_BY_THE_BACKEND = frozenset({
    "XLA_FLAGS", "XLA_PYTHON_CLIENT_PREALLOCATE", "XLA_PYTHON_CLIENT_MEM_FRACTION", "XLA_PYTHON_CLIENT_ALLOCATOR",
})  # fmt: skip
_BACKEND_OPTIONS = frozenset({"jax_num_cpu_devices", "jax_platforms"})
_ABOUT_DEVICES = frozenset({
    "jax.devices", "jax.local_devices", "jax.device_count", "jax.local_device_count", "jax.default_backend",
    "jax.process_index", "jax.process_count",
})  # fmt: skip
# Functions that make floats of the widest type there is unless a later argument says which: how many come before it.
_MAKES_WIDEST = {
    "jax.numpy.zeros": 1, "jax.numpy.ones": 1, "jax.numpy.eye": 1, "jax.numpy.linspace": 3,
    "jax.random.normal": 2, "jax.random.uniform": 2,
}  # fmt: skip
_ARRAYS = frozenset({"jax.numpy.array", "jax.numpy.asarray"})
_FORKS = {"os.fork": None, "multiprocessing.get_context": "method", "multiprocessing.set_start_method": "method"}
_PROCESS: v.Ident = ("process",)


def _makes_widest(name: str, call: ir.Call) -> bool:
    """Whether a call makes an array of floats that is as wide as there are: nothing says how wide."""
    if any(each.name in ("dtype", None) for each in call.keywords) or any(
        type(each) is ir.Starred for each in call.args
    ):
        return False
    if name in _ARRAYS:
        return len(call.args) == 1 and _is_of_floats(call.args[0])
    return len(call.args) <= _MAKES_WIDEST.get(name, -1)


def _is_of_floats(node: ir.Node) -> bool:
    """Whether a display of numbers has a float among them."""
    if type(node) is ir.Unary:
        node = node.operand
    if type(node) is ir.Sequence:
        numbers = [each.operand if type(each) is ir.Unary else each for each in node.elements]
        plain = all(type(each) in (ir.Constant, ir.Sequence) for each in numbers)
        return plain and any(_is_of_floats(each) for each in numbers)
    return type(node) is ir.Constant and type(node.value) is float


# Options that are plain attributes, as measured of `jax.config`.
_SETTABLE = frozenset(
    "jax_" + name for name in (
        "backend_target", "check_proxy_envs", "compiler_detailed_logging_min_ops", "cpu_enable_async_dispatch",
        "cross_host_transfer_socket_address", "cross_host_transfer_timeout_seconds", "cross_host_transfer_transfer_size",
        "cross_host_transport_addresses", "cuda_visible_devices", "disable_most_optimizations", "dump_ir_modes", "dump_ir_to",
        "force_dcn_cross_host_transfers", "include_debug_info_in_dumps", "mock_gpu_topology", "oneapi_visible_devices",
        "pallas_verbose_errors", "platform_name", "rocm_visible_devices", "sort_devices_by_process_index",
        "tracer_error_num_traceback_frames", "xla_backend",
    )
)  # fmt: skip


@hazard_class(consequence=Consequence.SILENT, decided_by="elsewhere")
class JaxAtImport(Hazard):
    """A module computes with JAX while it is imported, which starts the backend.

    Site: the call in the module that starts the backend; api.
    """


@hazard_class(consequence=Consequence.SILENT, decided_by="elsewhere")
class ForkAfterJax(Hazard):
    """A process is forked after the backend of JAX has started its threads; the child may hang. Site: the call; api."""

    started: int


@hazard_class(decided_by="elsewhere")
class LateEnvironment(Hazard):
    """A setting comes too late. Site: the store or call; api: the variable, option or function."""

    after: str  # what asked before: "import", "backend" or "array"
    asked: int  # its site


@hazard_class(of_plain_values=True)
class OptionAssigned(Hazard):
    """An option of `jax.config` is assigned, which is read-only. Site: the attribute; api: the option."""


class Startup(Checker):
    """What comes after JAX has read it, or starts the backend too early."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self._hands_on: bool | None = None

    def subscribe(self, events: Events) -> None:
        events.imported.append(self.imported)
        events.jax_value.append(self.called)
        events.environment_stored.append(self.stored)
        events.library_called.append(self.asked, {*_FORKS, "os.environ.setdefault", "os.environ.update"})
        events.refuses_attribute_store.append(self.assigned)

    # --- what happens --------------------------------------------------------------------------

    def imported(self, node: ir.Node, dotted: str) -> None:
        """A library is imported at the top of the module."""
        if dotted.partition(".")[0] in _BRING_JAX and self.i.frame is self.i.module_frame:
            self.happened("import", node.site)

    def called(self, result: v.Value, name: str, call: Call) -> v.Value:
        """A function of JAX was called; the result is handed on."""
        if name == "jax.config.update":
            self.option(call)
        elif name == "jax.distributed.initialize":
            self.late(call.node, call.node, name, "backend")
            self.happened("initialised", call.site)
        elif name in _ABOUT_DEVICES:
            self.starts(name, call)
        elif self.i.context.stage == EAGER and type(result) is v.Array and result.mode == v.CONCRETE:
            self.starts(name, call)
            if type(call.node) is ir.Call and _makes_widest(name, call.node):
                self.happened("array", call.site)
        return result

    def starts(self, name: str, call: Call) -> None:
        """The backend starts here, if it has not before."""
        if self.when("backend") is None:
            at_import = self.i.context.stage == EAGER and not self.i.runners.inside
            if self.when("initialised") is None and not self.i.undecided and at_import:
                outermost = self.i.chain[0] if self.i.chain else call.site
                if outermost in self.i.unit:
                    at = self.i.unit.nodes[outermost]
                    self.i.report(JaxAtImport(), at, at, v.UNKNOWN, api=name)
            self.happened("backend", call.site)

    def happened(self, what: str, site: int) -> None:
        if self.i.state is not None and self.when(what) is None:
            self.i.state.set_field(_PROCESS, what, v.Const(site))

    def when(self, what: str) -> int | None:
        """The site at which it has certainly happened before, None where it may not have."""
        found = self.i.state.fields.get((_PROCESS, what)) if self.i.state is not None else None
        return found.value if type(found) is v.Const else None

    # --- what comes too late -------------------------------------------------------------------

    def stored(self, node: ir.Node, base: v.Api, index: v.Value) -> None:
        """`os.environ["JAX_ENABLE_X64"] = …`"""
        if base.name == "os.environ" and type(index) is v.Const:
            self.variable(node, index.value)

    def assigned(self, node: ir.Attribute, base: v.Value, attr: str) -> bool:
        """`jax.config.jax_enable_x64 = True`: most options are properties without a setter."""
        known = knowledge.option(attr) if type(base) is v.Api and base.name == "jax.config" else None
        if known is None or known.removed is not None or attr in _SETTABLE:
            return False
        self.i.report(OptionAssigned(), node, node, v.UNKNOWN, api=attr)
        return True

    def asked(self, name: str, call: Call) -> None:
        """`os.environ.setdefault("XLA_FLAGS", …)`, `os.environ.update(…)`, `os.fork()`"""
        if name in _FORKS:
            self.forks(name, call)
        elif name == "os.environ.setdefault" and call.args and type(call.args[0]) is v.Const:
            self.variable(call.node, call.args[0].value)
        elif name == "os.environ.update":
            contents = self.i.contents(call.args[0]) if call.args else None
            given = list(getattr(contents, "items", None) or ())
            for variable in [*given, *call.keywords]:
                self.variable(call.node, variable)

    def variable(self, node: ir.Node, name: object) -> None:
        if not isinstance(name, str) or self.i.context.stage == STAGED_CODE or self.hands_on():
            return
        if name in _READ_BY_THE_BACKEND:
            self.late(node, node, name, "backend")
        elif name.startswith("JAX_"):
            option = knowledge.option(name.lower())
            if option is not None and option.removed is None:
                self.late(node, node, name, "import")

    def option(self, call: Call) -> None:
        """`jax.config.update("jax_enable_x64", True)`"""
        name, value = call.get(0, "name"), call.get(1, "val")
        if type(name) is not v.Const or self.i.context.stage == STAGED_CODE:
            return
        if name.value == "jax_disable_jit" and self.i.frame is self.i.module_frame:
            self.i.disable_jit(type(value) is not v.Const or bool(value.value))
        if name.value in _BACKEND_OPTIONS:
            self.late(call.node, call.node, name.value, "backend")
        elif name.value == "jax_enable_x64" and type(value) is v.Const and value.value is True:
            if self.when("array") is None and (made := self.made_by_import(call)) is not None:
                self.happened("array", made)
            self.late(call.node, call.node, name.value, "array")
            self.happened("wide", call.site)

    def made_by_import(self, call: Call) -> int | None:
        """The site of an import above a call whose module makes arrays of floats for good, and leaves their width alone."""
        for statement in self.i.unit.module.body:
            if statement.site > call.site and self.i.frame is self.i.module_frame:
                break
            named = [dotted for dotted, _ in statement.names] if isinstance(statement, ir.Import) else []
            places = [self.i.locate(dotted) for dotted in named]
            if isinstance(statement, ir.ImportFrom):
                places = [self.i.locate(statement.module, statement.level)]
            if any(place is not None and place.file is not None and self.makes_floats(place) for place in places):
                return int(statement.site)
        return None

    def makes_floats(self, place: Place) -> bool:
        """Whether the body of a module binds arrays of floats that are as wide as there are."""
        names = self.i.names_of(place)
        found = self.i.modules.get(place.file or "")
        if found is None or found.lowered is None or any(map(names_option, found.lowered.tree.nodes)):
            return False
        for each in found.lowered.tree.module.body:
            value = each.value if isinstance(each, ir.Assign) else None
            first, _, rest = (ir.dotted(value.func) or "").partition(".") if type(value) is ir.Call else ("", "", "")
            library = names.get(first)
            if type(library) is v.Api and type(value) is ir.Call:
                if _makes_widest(knowledge.canonical(f"{library.name}.{rest}" if rest else library.name), value):
                    return True
        return False

    def late(self, node: ir.Node, operand: ir.Node, name: str, after: str) -> None:
        before = self.when(after)
        if before is not None and (after != "array" or self.when("wide") is None) and not self.i.runners.inside:
            self.i.report(LateEnvironment(after, before), node, operand, v.UNKNOWN, api=name)

    def forks(self, name: str, call: Call) -> None:
        """A process is forked, or is to be, after the threads of JAX have started."""
        parameter = _FORKS.get(name, "")
        if parameter == "":
            return
        method = call.get(0, parameter) if parameter else None
        if parameter and not (type(method) is v.Const and method.value == "fork"):
            return
        before = self.when("backend")
        if before is not None:
            self.i.report(ForkAfterJax(before), call.node, call.node, v.UNKNOWN, api=name)

    def hands_on(self) -> bool:
        """Whether the file starts processes, which get the environment, or imports modules again."""
        if self._hands_on is None:
            modules = [name for node in self.i.unit.own if type(node) is ir.Import for name, _ in node.names]
            modules += [node.module for node in self.i.unit.own if type(node) is ir.ImportFrom and not node.level]
            self._hands_on = not _HANDS_ON.isdisjoint(module.partition(".")[0] for module in modules)
        return self._hands_on
