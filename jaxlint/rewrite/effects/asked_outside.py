"""What traced code asks of the host, asked outside: by the function around a compiled one, or in an `io_callback`."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Const
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import EACH_CALL
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
from jaxlint.source.diagnostic import Applicability, Fix

_DIFFERENTIATING = frozenset(
    {"jax.grad", "jax.value_and_grad", "jax.jvp", "jax.vjp", "jax.jacfwd", "jax.jacrev", "jax.hessian"}
)
_FLOATS = frozenset(f"time.{name}" for name in "time perf_counter monotonic process_time thread_time".split())


@or_none
def passed_in(hazard: Hazard, file: File, name: str) -> Fix:
    """The fix that asks for the value at each call, and passes it to the compiled function as ``name``."""
    function, asked = _question(hazard, file)
    require(can_be_wrapped(file, function))
    local, draft = free_name(file, function.body[0].site, name, "value"), Draft(file)
    draft.edits += known(wrapped(file, function, Around(passed={local: file.code(asked.site)})))
    draft.replace(asked.site, local)
    return draft.fix(f"Ask around the compiled function, and pass it as `{local}`", EACH_CALL, _level(hazard, asked))


@or_none
def asked_in_callback(hazard: Hazard, file: File) -> Fix:
    """The fix that reads a clock in an `io_callback`, each time the code runs."""
    _, asked = _question(hazard, file)
    transforms = [step.transform for step in (hazard.origin.steps(limit=64) if hazard.origin is not None else ())]
    require(hazard.api in _FLOATS and _DIFFERENTIATING.isdisjoint(transforms))
    draft = Draft(file)
    callback, shape = draft.api("jax.experimental.io_callback"), draft.api("jax.ShapeDtypeStruct")
    host = draft.api("numpy.float32")
    draft.replace(asked.site, f"{callback}(lambda: {host}({file.code(asked.site)}), {shape}((), {host}))")
    changes = "it happens at each run, and the answer is a float32"
    return draft.fix(f"Ask in `{callback}`", changes, _level(hazard, asked))


def _question(hazard: Hazard, file: File) -> tuple[ir.Function, ir.Node]:
    """The function that asks once, and the expression that does, which needs nothing of the function."""
    function = expect(ir.Function, file.unit.scope(hazard.site))
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(not _asks_again(file, function, call))  # else the time between two questions is what is wanted
    asked = _whole(file, call)
    require("\n" not in file.code(asked.site) and _is_of_outside(file, function, asked))
    return function, asked


def _level(hazard: Hazard, asked: ir.Node) -> Applicability:
    """Seconds since 1970 are display: a float32 counts them in steps of 128."""
    is_small = isinstance(asked, ir.Binary) and asked.op in ("%", "-", "//") or _is_int(asked)
    return Applicability.DISPLAY if hazard.api == "time.time" and not is_small else Applicability.UNSAFE


def _is_int(node: ir.Node) -> bool:
    return isinstance(node, ir.Call) and isinstance(node.func, ir.Name) and node.func.id == "int"


def _whole(file: File, call: ir.Call) -> ir.Node:
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
