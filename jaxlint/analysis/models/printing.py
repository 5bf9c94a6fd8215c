"""Printing, logging and debuggers in traced code, which show a tracer and not its value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import arguments
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import PrintOfTracer, PythonDebuggerInTracedCode
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.interpreter.formatting import failed

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

DEBUGGERS = frozenset({
    "builtins.breakpoint", "pdb.set_trace", "pdb.post_mortem", "ipdb.set_trace", "pudb.set_trace", "IPython.embed",
    "IPython.core.debugger.set_trace",
})  # fmt: skip
LOGGING = ("logging.", "absl.logging.", "warnings.warn", "loguru.logger", "rich.print", "pprint.pprint")
_OUTPUT = frozenset(
    "debug info warning warn error exception critical fatal log vlog log_first_n log_every_n log_if trace success"
    " print pprint".split()
)

_MAX_SHOWN = 4  # objects in one another


def debugger(interpreter: Interpreter, name: str, call: Call) -> v.Value:
    """A call of one of `DEBUGGERS`, which stops while the code is traced."""
    origin = interpreter.context.origin
    if origin is not None:
        hazard = PythonDebuggerInTracedCode()
        interpreter.report(hazard, call.node, call.node, v.UNKNOWN, api=name, origin=origin)
    return v.NONE


def logging(interpreter: Interpreter, name: str, call: Call) -> v.Value | None:
    """The value of a call of a function of `LOGGING`; None where it neither prints nor makes a logger."""
    if name.endswith(("getLogger", "get_absl_logger")):
        return v.Api("logging.Logger")  # an instance; its methods are told apart by their names alone
    if name.rpartition(".")[2] not in _OUTPUT:
        return None
    prints(interpreter, name, call)
    return v.NONE


def prints(interpreter: Interpreter, name: str, call: Call) -> None:
    """Record the first argument whose text shows a tracer."""
    if interpreter.context.origin is None or any(failed(interpreter, node) for node in call.arg_nodes):
        return  # outside of traced code, what is shown has leaked
    for value, node in arguments(call):
        for leaf in interpreter.leaves([value, *_fields_shown(interpreter, value)]):
            if interpreter.shows_tracer(leaf):
                traced = leaf.traced if type(leaf) is v.Text else leaf
                operand = leaf.node if type(leaf) is v.Text else node
                interpreter.report(PrintOfTracer(), call.node, operand, traced, api=name)
                return


def _fields_shown(interpreter: Interpreter, value: v.Value, depth: int = 0) -> list[v.Value]:
    """The fields of an object that its text shows, as that of a dataclass does."""
    contents = interpreter.contents(value)
    if type(contents) is not Instance or contents.cls.family != "dataclass" or depth == _MAX_SHOWN:
        return []
    if any(contents.cls.lookup(name) is not None for name in ("__repr__", "__str__")):
        return []
    fields = contents.fields.values()
    return [part for field in fields for part in (field, *_fields_shown(interpreter, field, depth + 1))]
