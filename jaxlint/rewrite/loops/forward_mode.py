"""The fix for a gradient through a loop: a `fori_loop` where its passes are counted, else forward mode."""

from __future__ import annotations

from typing import TypeGuard

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.values import Const, Transformed, python_type
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, displayed, only_result, parameter_of
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import application, called, function_of, names_in, unused, with_parameters
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
from jaxlint.rewrite.statements import free_name
from jaxlint.rewrite.static_args.static_argument import TracedParameter, static_fix
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_REVERSE = frozenset({"jax.grad", "jax.jacrev", "jax.jacobian"})
_NUMBERS = tuple(f"jax.numpy.{name}" for name in ("array", "asarray", "int32"))

_MANY = 10_000  # iterations of which the gradient keeps what they compute


def differentiable(hazard: Hazard, file: File) -> Fix | None:
    return _counted(hazard, file) or _static_bounds(hazard, file) or _forward(hazard, file)


# --- a loop that counts -----------------------------------------------------------------------


@or_none
def _counted(hazard: Hazard, file: File) -> Fix:
    """`while_loop` over a state of which one item counts from a number to a number, until that or sooner."""
    require(hazard.api == "jax.lax.while_loop")
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(len(call.args) == 3 and not call.keywords)
    test, body, initial = call.args
    items = known(displayed(file.unit, initial))
    counter, end, alone = _end(file, test)
    require(0 <= counter < len(items) and _counts_up(file, body, counter))
    start = _start(file, items[counter])
    state = unused(names_in(test) | names_in(body), "state", "carry")
    changes = "the bounds decide the iterations"
    if alone and isinstance(body, ir.Lambda):
        own = body.function.parameters[0].name
        text = with_parameters(file, body, f"{unused(names_in(body), '_', 'i')}, {own}")
    elif alone:
        text = f"lambda _, {state}: {called(file, body, state)}"
    else:
        around = file.unit.parent(file.unit.scope(call.site).site)
        require(not any(isinstance(each, ir.Lambda) for each in (test, body, around)))
        text, cond = free_name(file, hazard.site, "step", "advance"), draft.api("jax.lax.cond")
        functions = f"{called(file, test, state)}, {argument(file, body.site)}, lambda {state}: {state}"
        statement = file.unit.statement(call.site)
        draft.define_above(statement, f"def {text}(_, {state}):", [f"return {cond}({functions}, {state})"])
        changes = f"`{file.code(end.site)}` iterations take place, the last ones without effect"
    draft.use(call.func.site, "jax.lax.fori_loop")
    first, last = file.outer_span(test.site)[0], file.outer_span(body.site)[1]
    draft.edits.append(Edit(first, last, f"{start}, {argument(file, end.site)}, {text}"))
    ends = [value.value for value in file.values(end.site) if isinstance(value, Const)]
    level = Applicability.UNSAFE if alone or max(ends, default=0) <= _MANY else Applicability.DISPLAY
    return draft.fix("Use `fori_loop`", changes, level)


@or_none
def _static_bounds(hazard: Hazard, file: File) -> Fix | None:
    """The bound of a `fori_loop` static, where it is a parameter of the compiled function around it."""
    call, function = file.unit.nodes[hazard.site], expect(ir.Function, file.unit.scope(hazard.site))
    require(hazard.api == "jax.lax.fori_loop" and function.decorators)
    bound = only(each for each in call.args[:2] if isinstance(each, ir.Name))
    transform = Origin("", function.decorators[-1].site, None, "jax.jit")
    return static_fix(TracedParameter(known(parameter_of(function, bound.id)), function, transform), file)


def _start(file: File, node: ir.Node) -> str:
    """The number that an item of the state is at first."""
    match node:
        case ir.Call(func=func, args=[given, *_]) if file.is_api(func.site, *_NUMBERS):
            return _start(file, given)
        case ir.Call(func=func, args=[ir.Sequence(elements=[]), *_]) if file.is_api(func.site, "jax.numpy.zeros"):
            return "0"
    require(_is_int(node))
    return file.code(node.site)


def _end(file: File, test: ir.Node) -> tuple[int, ir.Node, bool]:
    """Which item of the state is to be less than a Python number, the number, and whether that is all there is to the test."""
    function = known(function_of(file, test))
    conditions = _conjunction(file, known(only_result(function)))
    for each in conditions:
        if not isinstance(each, ir.Compare) or list(each.ops) != ["<"]:
            continue
        counter, end = _item(function, each.left), each.rights[0]
        if counter is None or names_in(end) & (function.locals | {each.name for each in function.parameters}):
            continue
        values = file.values(end.site)
        is_known = isinstance(end, (ir.Name, ir.Attribute)) and bool(values)
        if _is_int(end) or (is_known and all(python_type(value) == "int" for value in values)):
            return counter, end, len(conditions) == 1
    raise NoFix


def _conjunction(file: File, node: ir.Expression) -> list[ir.Expression]:
    """What must all be true for a condition to be."""
    match node:
        case ir.Binary(op="&", left=left, right=right) | ir.Boolean(op="and", left=left, right=right):
            return _conjunction(file, left) + _conjunction(file, right)
        case ir.Call(func=func, args=[left, right], keywords=[]) if file.is_api(func.site, "jax.numpy.logical_and"):
            return _conjunction(file, left) + _conjunction(file, right)
    return [node]


def _counts_up(file: File, body: ir.Node, counter: int) -> bool:
    """Whether a pass gives a tuple in which one item is one more than it was."""
    function = known(function_of(file, body))
    result = expect(ir.Sequence, only_result(function))
    match result.elements[counter] if counter < len(result.elements) else None:
        case ir.Binary(op="+", left=left, right=right) if result.kind == "tuple":
            return any(
                _item(function, one) == counter and _is_int(other) and other.value == 1
                for one, other in ((left, right), (right, left))
            )
    return False


def _item(function: ir.Function, node: ir.Node) -> int | None:
    """Which item of the one parameter an expression is: `state[0]`, or what it is unpacked to."""
    if len(function.parameters) != 1:
        return None
    match node:
        case ir.Subscript(value=ir.Name(id=state), index=ir.Constant(value=int(number))):
            return number if state == function.parameters[0].name else None
        case ir.Name():
            match bindings(function, node.id):
                case [ir.Assign(targets=[ir.Sequence(elements=elements)], value=ir.Name(id=state))]:
                    names = [getattr(each, "id", None) for each in elements]
                    return names.index(node.id) if state == function.parameters[0].name and None not in names else None
    return None


def _is_int(node: ir.Node) -> TypeGuard[ir.Constant]:
    return isinstance(node, ir.Constant) and type(node.value) is int


# --- forward mode -----------------------------------------------------------------------------


@or_none
def _forward(hazard: Hazard, file: File) -> Fix:
    """`jax.jacfwd`, which gives the same and passes through loops of any length."""
    made, draft = expect(Transformed, hazard.value), Draft(file)
    require(made.transform.name in _REVERSE)
    node = file.unit.nodes[made.site]
    if isinstance(node, ir.Call):
        node = known(application(file, made)).func
    require(file.is_api(node.site, made.transform.name))
    taken = file.unit.nodes[hazard.operand]
    is_scalar = isinstance(taken, ir.Call) and len(taken.args) == 1 and masks.scalar(file, taken.args[0].site)
    is_scalar &= not made.options
    draft.use(node.site, "jax.jacfwd")
    level = Applicability.UNSAFE if is_scalar else Applicability.DISPLAY
    changes = "the last digits may differ" if is_scalar else "it takes a pass for each number in the argument"
    return draft.fix("Use forward mode", changes, level)
