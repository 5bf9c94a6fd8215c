"""What traced code asks of the host, asked outside: by the function around a compiled one, or in an `io_callback`."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Const
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import EACH_CALL
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import free_name
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
from jaxlint.source.diagnostic import Applicability, Fix

_DIFFERENTIATING = frozenset(
    {"jax.grad", "jax.value_and_grad", "jax.jvp", "jax.vjp", "jax.jacfwd", "jax.jacrev", "jax.hessian"}
)
_FLOATS = frozenset(f"time.{name}" for name in "time perf_counter monotonic process_time thread_time".split())


def passed_in(hazard: Hazard, file: File, name: str) -> Fix | None:
    """The fix that asks for the value at each call, and passes it to the compiled function as ``name``."""
    function, call = file.unit.scope(hazard.site), file.unit.nodes[hazard.site]
    if not isinstance(call, ir.Call) or not isinstance(function, ir.Function) or not can_be_wrapped(file, function):
        return None
    if _asks_again(file, function, call):
        return None  # the time between two questions is what is wanted
    asked = _whole(file, function, call)
    local = free_name(file, function.body[0].site, name, "value")
    code = file.code(asked.site)
    if "\n" in code or not _is_of_outside(file, function, asked):
        return None
    edits = wrapped(file, function, Around(passed={local: code}))
    if edits is None:
        return None
    title = f"Ask around the compiled function, and pass it as `{local}`"
    ordered = in_order([*edits, file.replace(asked.site, local)])
    return Fix(title, ordered, _level(hazard, asked), changes=EACH_CALL)


def asked_in_callback(hazard: Hazard, file: File) -> Fix | None:
    """The fix that reads a clock in an `io_callback`, each time the code runs."""
    function, call = file.unit.scope(hazard.site), file.unit.nodes[hazard.site]
    if hazard.api not in _FLOATS or not isinstance(call, ir.Call) or not isinstance(function, ir.Function):
        return None
    transforms = [step.transform for step in (hazard.origin.steps(limit=64) if hazard.origin is not None else ())]
    if not _DIFFERENTIATING.isdisjoint(transforms) or _asks_again(file, function, call):
        return None
    asked = _whole(file, function, call)
    if not _is_of_outside(file, function, asked) or "\n" in file.code(asked.site):
        return None
    callback, imports = file.api("jax.experimental.io_callback")
    shape, more = file.api("jax.ShapeDtypeStruct")
    host, third = file.api("numpy.float32")
    code = f"{callback}(lambda: {host}({file.code(asked.site)}), {shape}((), {host}))"
    changes = "it happens at each run, and the answer is a float32"
    edit = file.replace(asked.site, code)
    return Fix(f"Ask in `{callback}`", (edit,), _level(hazard, asked), imports | more | third, changes)


def _level(hazard: Hazard, asked: ir.Node) -> Applicability:
    """Seconds since 1970 are display: a float32 counts them in steps of 128."""
    is_small = isinstance(asked, ir.Binary) and asked.op in ("%", "-", "//") or _is_int(asked)
    return Applicability.DISPLAY if hazard.api == "time.time" and not is_small else Applicability.UNSAFE


def _is_int(node: ir.Node) -> bool:
    return isinstance(node, ir.Call) and isinstance(node.func, ir.Name) and node.func.id == "int"


def _whole(file: File, function: ir.Function, call: ir.Call) -> ir.Node:
    """The largest expression around the call that takes nothing but constants besides."""
    node: ir.Node = call
    while True:
        above = file.unit.parent(node.site)
        match above:
            case ir.Attribute() | ir.Call(func=ir.Name(id="int"), args=[_], keywords=()):
                pass
            case ir.Call(func=func, args=(), keywords=()) if func is node:
                pass
            case ir.Binary(left=left, right=right) if isinstance(right if left is node else left, ir.Constant):
                pass
            case _:
                return node
        node = above


def _is_of_outside(file: File, function: ir.Function, node: ir.Node) -> bool:
    """Whether an expression reads no variable of the function, but for parameters that are no arrays."""
    for each in ir.walk([node]):
        if isinstance(each, (ir.Await, ir.Yield, ir.YieldFrom, ir.Walrus, ir.Lambda, ir.Comprehension)):
            return False
        if isinstance(each, ir.Name) and each.id in function.locals:
            if not all(type(value) is Const for value in file.values(each.site)):
                return False
    return True


def _asks_again(file: File, function: ir.Function, call: ir.Call) -> bool:
    code = file.code(call.func.site)
    found = [each for each in ir.walk(function.body) if isinstance(each, ir.Call) and file.code(each.func.site) == code]
    return len(found) != 1
