"""The fix for a gradient through a loop: a `fori_loop` where its passes are counted, else forward mode."""

from __future__ import annotations

from typing import TypeGuard

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.values import Array, Const, Transformed, python_type
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, displayed, parameter_of
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import called, definition, names_in, only_result, unused, with_parameters
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.static_args.static_argument import TracedParameter, static_fix
from jaxlint.rewrite.transform_options import application
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_REVERSE = frozenset({"jax.grad", "jax.jacrev", "jax.jacobian"})
_COMMON = frozenset({"argnums", "has_aux", "holomorphic"})  # options that forward mode takes as well


def differentiable(hazard: Hazard, file: File) -> Fix | None:
    return _counted(hazard, file) or _static_bounds(hazard, file) or _forward(hazard, file)


# --- a loop that counts -----------------------------------------------------------------------


def _counted(hazard: Hazard, file: File) -> Fix | None:
    """`while_loop` over a state whose first item counts from a number to a number."""
    if hazard.site not in file.unit or hazard.api != "jax.lax.while_loop":
        return None
    call = file.unit.nodes[hazard.site]
    if call.keywords or len(call.args) != 3 or file.has_comment(*file.span(call.site)):
        return None
    test, body, initial = call.args
    start = displayed(file.unit, initial)
    end = _end(file, test)
    if not start or end is None or not _is_int(start[0]) or not _counts_up(file, body):
        return None
    name, imports = file.api("jax.lax.fori_loop")
    if isinstance(body, ir.Lambda):
        state = body.function.parameters[0].name
        text = with_parameters(file, body, f"{unused(names_in(body), '_', 'i')}, {state}")
    else:
        state = unused(names_in(body), "state", "carry")
        text = f"lambda _, {state}: {called(file, body, state)}"
    bounds = f"{file.code(start[0].site)}, {argument(file, end.site)}"
    first, last = file.outer_span(test.site)[0], file.outer_span(body.site)[1]
    edits = (file.replace(call.func.site, name), Edit(first, last, f"{bounds}, {text}"))
    return Fix("Use `fori_loop`", edits, imports=imports, changes="the bounds decide the iterations")


def _static_bounds(hazard: Hazard, file: File) -> Fix | None:
    """The bound of a `fori_loop` static, where it is a parameter of the compiled function around it."""
    call, function = file.unit.nodes[hazard.site], file.unit.scope(hazard.site)
    if hazard.api != "jax.lax.fori_loop" or not isinstance(function, ir.Function) or not function.decorators:
        return None
    bounds = [each for each in call.args[:2] if isinstance(each, ir.Name)]
    parameter = parameter_of(function, bounds[0].id) if len(bounds) == 1 else None
    transform = Origin("", function.decorators[-1].site, None, "jax.jit")
    return None if parameter is None else static_fix(TracedParameter(parameter, function, transform), file)


def _end(file: File, test: ir.Node) -> ir.Node | None:
    """What the first item of the state is compared with, where that is a Python number."""
    function = _function(file, test)
    result = only_result(function) if function is not None else None
    if function is None or not isinstance(result, ir.Compare):
        return None
    if list(result.ops) != ["<"] or not _is_first(function, result.left):
        return None
    end = result.rights[0]
    if {each.name for each in function.parameters} & names_in(end):
        return None
    values = file.values(end.site)
    known = bool(values) and all(python_type(value) == "int" for value in values)
    known = known and isinstance(end, (ir.Name, ir.Attribute))
    return end if _is_int(end) or (known and not names_in(end) & function.locals) else None


def _counts_up(file: File, body: ir.Node) -> bool:
    """Whether a pass gives a tuple whose first item is one more than it was."""
    function = _function(file, body)
    match only_result(function) if function is not None else None:
        case ir.Sequence(kind="tuple", elements=[ir.Binary(op="+", left=left, right=right), *_]):
            return function is not None and any(
                _is_first(function, one) and _is_int(other) and other.value == 1
                for one, other in ((left, right), (right, left))
            )
    return False


def _is_first(function: ir.Function, node: ir.Node) -> bool:
    """Whether an expression is the first item of the one parameter: `state[0]`, or what it is unpacked to."""
    if len(function.parameters) != 1:
        return False
    match node:
        case ir.Subscript(value=ir.Name(id=state), index=ir.Constant(value=0)):
            return state == function.parameters[0].name
        case ir.Name():
            match bindings(function, node.id):
                case [ir.Assign(targets=[ir.Sequence(elements=[ir.Name(id=first), *_]), *_], value=ir.Name(id=state))]:
                    return first == node.id and state == function.parameters[0].name
    return False


def _function(file: File, node: ir.Node) -> ir.Function | None:
    if isinstance(node, ir.Lambda):
        function: ir.Function = node.function
        return function
    found = {
        id(each): each for each in (definition(file, value) for value in file.values(node.site)) if each is not None
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _is_int(node: ir.Node) -> TypeGuard[ir.Constant]:
    return isinstance(node, ir.Constant) and type(node.value) is int


# --- forward mode -----------------------------------------------------------------------------


def _forward(hazard: Hazard, file: File) -> Fix | None:
    """`jax.jacfwd`, which gives the same and passes through loops of any length."""
    made = hazard.value
    if not isinstance(made, Transformed) or made.transform.name not in _REVERSE:
        return None
    if made.site not in file.unit:
        return None
    node = file.unit.nodes[made.site]
    if isinstance(node, ir.Call):
        call = application(file, made)
        if call is None or any(keyword.name not in _COMMON for keyword in call.keywords) or len(call.args) > 1:
            return None
        node = call.func
    if not file.is_api(node.site, made.transform.name):
        return None
    name, imports = file.api("jax.jacfwd")
    taken = file.unit.nodes[hazard.operand]
    scalar = (
        isinstance(taken, ir.Call) and len(taken.args) == 1 and not made.options and _is_scalar(file, taken.args[0])
    )
    level = Applicability.UNSAFE if scalar else Applicability.DISPLAY
    changes = "the last digits may differ" if scalar else "it takes a pass for each number in the argument"
    return Fix("Use forward mode", (file.replace(node.site, name),), level, imports, changes)


def _is_scalar(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(
        (isinstance(value, Array) and value.aval.shape == ())
        or (isinstance(value, Const) and isinstance(value.value, float))
        for value in values
    )
