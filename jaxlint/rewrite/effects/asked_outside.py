"""What traced code asks of the host and takes from iterators, asked outside of it or in an `io_callback`."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Const
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope, is_assigned, names_of, only_target, only_value
from jaxlint.rewrite.calls import add_parameter, end_of_parameter
from jaxlint.rewrite.changes import EACH_CALL, PASSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import expect, known, only, or_none, plain_call, require
from jaxlint.rewrite.statements import free_name
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
from jaxlint.source.diagnostic import Applicability, Edit, Fix

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
    """The function that asks once, and the expression that does."""
    function = expect(ir.Function, file.unit.scope(hazard.site))
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(not _asks_again(file, function, call))  # else the time between two questions is what is wanted
    asked = _whole(file, call)
    require("\n" not in file.code(asked.site))
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


def _asks_again(file: File, function: ir.Function, call: ir.Call) -> bool:
    code = file.code(call.func.site)
    found = [each for each in ir.walk(function.body) if isinstance(each, ir.Call) and file.code(each.func.site) == code]
    return len(found) != 1


@or_none
def as_argument(hazard: Hazard, file: File) -> Fix:
    """The fix that takes the element at each call of the compiled function, and passes it."""
    function = expect(ir.Function, file.unit.scope(hazard.site))
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    iterator, draft = expect(ir.Name, file.unit.nodes[hazard.operand]), Draft(file)
    owner = defining_scope(file.unit, iterator.site, iterator.id)
    require(owner is not function and _draws(file, iterator.id, owner) == 1)
    statement = file.unit.statement(call.site)
    target = only_target(statement)
    is_named = isinstance(target, ir.Name) and only_value(function, target.id) is call
    if is_named:
        name = expect(ir.Name, target).id
        draft.remove(statement)
    else:
        name = free_name(file, call.site, "element", "item")
        draft.replace(call.site, name)

    def passed(outer: ir.Call) -> str | None:
        return file.code(call.site) if defining_scope(file.unit, outer.site, iterator.id) is owner else None

    change = known(add_parameter(file, function, name, passed, rebinds=is_named))
    draft.edits += change.edits
    return draft.fix(f"Take the element outside, and pass it as `{name}`", PASSED, change.level)


class Loop(NamedTuple):
    """A call of a loop of `jax.lax` with the function that draws."""

    call: ir.Call
    function: ir.Function
    drawn: ir.Node
    name: str  # of the iterator, and of the array that takes its place


@or_none
def as_array(hazard: Hazard, file: File) -> Fix:
    """The fix that makes an array of the elements, for the loop to run over or to index."""
    drawn, iterator = expect(ir.Call, file.unit.nodes[hazard.site]), expect(ir.Name, file.unit.nodes[hazard.operand])
    name, draft = iterator.id, Draft(file)
    owner = known(defining_scope(file.unit, iterator.site, name))
    made = known(only_value(owner, name))
    require(len(drawn.args) == 1 and _draws(file, name, owner) == 1 and _takes_elements(file, made))
    loop = _loop(file, drawn, name)
    draft.replace_whole(made.site, _array(draft, made))
    if hazard.api == "fori_loop":
        _index(draft, loop)
    else:
        require(hazard.api in ("scan", "map"))
        _run_over(draft, loop)
    return draft.fix(f"Make `{name}` an array, and take each element from it", "all elements are read before the loop")


def _draws(file: File, name: str, owner: ir.Scope | None) -> int:
    """How often a variable is read."""
    return sum(not is_assigned(file.unit, each) for each in names_of(file.unit, owner, name))


def _loop(file: File, drawn: ir.Call, name: str) -> Loop:
    function = expect(ir.Function, file.unit.scope(drawn.site))
    holder = known(file.unit.parent(function.site))
    if isinstance(holder, ir.Lambda):
        call = file.unit.parent(holder.site)
    else:
        use = only(names_of(file.unit, file.unit.scope(holder.site), function.name))
        call = file.unit.parent(use.site)
    return Loop(plain_call(call), function, drawn, name)


def _takes_elements(file: File, made: ir.Node) -> bool:
    """Whether the iterator ends, so that a list can be made of it."""
    if isinstance(made, ir.Comprehension):
        return True
    ending = ("builtins.iter", "builtins.zip", "builtins.map", "builtins.reversed")
    return isinstance(made, ir.Call) and file.is_api(made.func.site, *ending)


def _array(draft: Draft, made: ir.Node) -> str:
    file = draft.file
    match made:
        case ir.Comprehension():
            code = file.code(made.site)
            return f"{draft.api('jax.numpy.array')}([{code[1:-1] if code.startswith('(') else code}])"
        case ir.Call(func=ir.Name(id="iter"), args=[ir.Call(func=ir.Name(id="range"), args=bounds)]):
            return f"{draft.api('jax.numpy.arange')}({', '.join(argument(file, each.site) for each in bounds)})"
        case ir.Call(func=ir.Name(id="iter"), args=[ir.Sequence(kind="tuple" | "list") as elements]):
            return f"{draft.api('jax.numpy.array')}({argument(file, elements.site)})"
    return f"{draft.api('jax.numpy.array')}(list({file.code(made.site)}))"


def _index(draft: Draft, loop: Loop) -> None:
    """`fori_loop(0, n, body, …)`: the number of the pass is the index."""
    require(len(loop.call.args) > 2 and len(loop.function.parameters) == 2)
    first = draft.file.values(loop.call.args[0].site)
    require(first and all(type(value) is Const and value.value == 0 for value in first))
    index = loop.function.parameters[0].name
    require(not bindings(loop.function, index))
    draft.replace(loop.drawn.site, f"{loop.name}[{index}]")


def _run_over(draft: Draft, loop: Loop) -> None:
    """`scan(body, init, xs)` and `map(f, xs)`: the array is run over, beside what there was."""
    file, name, (*others, last) = draft.file, loop.name, loop.function.parameters
    require(not loop.function.is_lambda and len(others) < 2 and len(loop.call.args) > len(others) + 1)
    require(last.annotation is None and last.default is None and not bindings(loop.function, last.name))
    xs = loop.call.args[len(others) + 1]
    one = name[:-1] if name.endswith("s") and len(name) > 2 else f"{name}_element"
    element = free_name(file, loop.drawn.site, one, "element")
    parameter, over = element, name
    if not ir.is_none(xs):
        parameter, over = free_name(file, loop.drawn.site, "inputs", "both"), f"({argument(file, xs.site)}, {name})"
        draft.above(loop.function.body[0], f"{last.name}, {element} = {parameter}")
    draft.edits.append(Edit(file.span(last.site)[0], end_of_parameter(file, last), parameter))
    draft.replace(loop.drawn.site, element)
    draft.replace(xs.site, over)
