"""A function that is differentiated made to return one number, and what comes with it taken as auxiliary."""

from __future__ import annotations

from jaxlint.analysis.domain.values import FunctionValue
from jaxlint.analysis.transforms.gradients import WrongGradient
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, held_by_object, only_result, only_target, own_returns, passed_function
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.draft import Draft, plain_call
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import result_of, returned
from jaxlint.rewrite.operands import argument, in_parentheses, operand
from jaxlint.rewrite.parameters import append_argument
from jaxlint.rewrite.requirements import NoFix, expect, is_plain, known, or_none, parts_of, require
from jaxlint.rewrite.statements import below, free_name
from jaxlint.source.diagnostic import Edit, Fix

_GRADIENTS = ("jax.grad", "jax.value_and_grad")


@or_none
def one_number(file: File, site: int, hazard: WrongGradient) -> Fix | None:
    """The fix for the call, or the unpacking, at ``site``."""
    node = file.unit.nodes[site]
    if hazard.reason == "unpacked":
        return _pair_unpacked(file, node, hazard)
    if hazard.reason == "gradient":
        return _with_value(file, node)
    return _only_element(file, hazard) or _of_call(file, expect(ir.Call, node), hazard)


def _made(file: File, node: ir.Node) -> ir.Call:
    """The call that makes the one value of a name, or of an attribute of the object."""
    made = held_by_object(file.unit, node) if isinstance(node, ir.Attribute) else bound_to(file.unit, node)
    return expect(ir.Call, made)


@or_none
def _of_call(file: File, call: ir.Call, hazard: WrongGradient) -> Fix | None:
    made = _made(file, call.func)
    require(file.is_api(made.func.site, *_GRADIENTS) and made.args)
    has_aux = any(keyword.name in ("has_aux", None) for keyword in made.keywords) or len(made.args) > 2
    if hazard.reason == "tree" and hazard.count == 2 and not has_aux:
        return _with_aux(file, call, made)
    own = _only_here(file, made, hazard)
    value = only_result(own) if own is not None else None
    if own is not None and hazard.reason == "none" and not own_returns(own):
        return _last_assigned(file, own)
    if value is not None and hazard.reason == "aux":
        return _as_pair(file, value, hazard, _unpacking(file, call, made))
    if hazard.reason == "tree" and not has_aux:
        match value:
            case ir.Dict(keys=[ir.Expression()], values=[number]):
                edit = returned(file, value, argument(file, number.site))
                return Fix("Return the number itself", (edit,), changes="callers get no dict")
    return _summed(file, call, made, value) if hazard.reason == "shape" and not has_aux else None


def _with_value(file: File, statement: ir.Node) -> Fix:
    """`value, gradient = jax.value_and_grad(f)(x)` for `jax.grad`."""
    match statement:
        case ir.Assign(targets=[ir.Sequence(elements=[_, _]), *_], value=ir.Call(func=ir.Call(func=gradient))):
            name = file.api_name(gradient.site)
            require(name.endswith("grad"))
            text, imports = file.api(f"{name.removesuffix('grad')}value_and_grad")
            changes = "the first name is the value of the function"
            return Fix("Use `value_and_grad`", (file.replace(gradient.site, text),), imports=imports, changes=changes)
    raise NoFix


def _only_here(file: File, made: ir.Call, hazard: WrongGradient) -> ir.Function | None:
    """The function that is differentiated, where nothing else uses it."""
    function = hazard.function.function if isinstance(hazard.function, FunctionValue) else None
    return function if function is not None and passed_function(file.unit, made.args[0]) is function else None


# --- auxiliary values -------------------------------------------------------------------------


def _with_aux(file: File, call: ir.Call, made: ir.Call) -> Fix:
    """`has_aux=True`, and the gradient alone of what the call gives then."""
    edits = [known(append_argument(file, made, "has_aux=True"))]
    if made is not call.func:  # it has a name, which is called once
        require(len(ir.names_below(file.unit.module.body).get(expect(ir.Name, call.func).id, ())) == 2)
    target = _target(file, call)
    if file.is_api(made.func.site, "jax.value_and_grad"):
        pair = expect(ir.Sequence, target).elements
        require(len(pair) == 2)
        first = pair[0]
        if isinstance(first, ir.Sequence):  # the pair is unpacked already
            require(len(first.elements) == 2 and is_plain(first.elements))
        else:
            aux = free_name(file, call.site, "_", "aux")
            edits.append(file.replace(first.site, f"({file.code(first.site)}, {aux})"))
    elif target is not None:
        edits.append(file.insert(file.span(expect(ir.Name, target).site)[1], ", _"))
    else:
        edits.append(file.insert(file.span(call.site)[1], "[0]"))
    title = "Hand on the second result, with `has_aux=True`"
    return Fix(title, in_order(edits), changes="the first result alone is differentiated")


def _target(file: File, call: ir.Call) -> ir.Expression | None:
    """What a statement assigns the result of a call to."""
    statement = file.unit.parent(call.site)
    return only_target(statement) if isinstance(statement, ir.Assign) and statement.value is call else None


def _unpacking(file: File, call: ir.Call, made: ir.Call) -> ir.Node | None:
    """What takes the value and all auxiliary ones, or the gradient and these."""
    target = _target(file, call)
    if file.is_api(made.func.site, "jax.value_and_grad") and isinstance(target, ir.Sequence) and target.elements:
        return target.elements[0]
    return target


def _as_pair(file: File, value: ir.Node, hazard: WrongGradient, target: ir.Node | None) -> Fix:
    """The number, and all the rest as one, where it is taken apart too; None where there is no rest."""
    if not isinstance(value, ir.Sequence):
        require(not hazard.count and hazard.what != "None")
        edit = returned(file, value, f"{argument(file, value.site)}, None")
        return Fix("Return None for what is auxiliary", (edit,), changes="callers get a pair")
    pairs = [parts_of(value, 3)]
    if isinstance(target, ir.Sequence) and len(target.elements) == len(value.elements):
        pairs.append(target.elements)
    edits = in_order(edit for _, *rest in pairs for edit in in_parentheses(file, rest))
    return Fix("Return what is auxiliary as one", edits, changes="callers get it as one tuple")


def _pair_unpacked(file: File, statement: ir.Node, hazard: WrongGradient) -> Fix:
    """`value, aux, gradient = …` as `(value, aux), gradient = …`"""
    target = expect(ir.Sequence, only_target(statement))
    require(hazard.what == "aux" and hazard.count == 3 and is_plain(target.elements))
    edits = in_parentheses(file, target.elements[:2])
    return Fix("Unpack the pair of value and auxiliary", edits, changes=GUESSED)


# --- one number -------------------------------------------------------------------------------


def _last_assigned(file: File, function: ir.Function) -> Fix:
    """What the last statement of the function computes, returned."""
    last = function.body[-1]
    name = expect(ir.Name, only_target(last)).id
    return Fix(f"Return `{name}`", (known(below(file, last, f"return {name}")),), changes=GUESSED)


def _summed(file: File, call: ir.Call, made: ir.Call, value: ir.Node | None) -> Fix:
    """The sum of the array: each element that depends on its own input alone gets its own derivative. In training, the mean."""
    total, imports = file.api("jax.numpy.sum")
    title, changes = "Differentiate the sum", "`jax.jacrev` gives the derivative of each element"
    if _trains(file, call):
        total, imports = file.api("jax.numpy.mean")
        title, changes = "Differentiate the mean", "the sum may be meant"
    if value is not None:
        require(not isinstance(value, (ir.Sequence, ir.Comprehension)))
        edit = Edit(*file.outer_span(value.site), f"{total}({argument(file, value.site)})")
        return Fix(title, (edit,), imports=imports, changes=changes)
    given, function = [expect(ir.Name, each).id for each in call.args], expect(ir.Name, made.args[0])
    require(given and not call.keywords)
    names = ", ".join(given)
    wrapped = f"lambda {names}: {total}({function.id}({names}))"
    return Fix(title, (file.replace(function.site, wrapped),), imports=imports, changes=changes)


@or_none
def _only_element(file: File, hazard: WrongGradient) -> Fix:
    """The number in an array of one, which the function returns in its place."""
    require(hazard.reason == "shape" and hazard.what == "an array of shape (1,)")
    if not isinstance(hazard.function, FunctionValue):
        return _of_scalar_output(file, expect(ir.Call, file.unit.nodes[hazard.site]))
    home = file.holding(expect(FunctionValue, hazard.function).function.site)
    value = result_of(home, hazard.function)
    require(not isinstance(value, (ir.Sequence, ir.Comprehension)))
    edit = returned(home, value, f"{operand(home, value.site)}[0]")
    return file.placed(Fix("Return the one element", (edit,), changes="callers get a number"), value.site)


def _of_scalar_output(file: File, call: ir.Call) -> Fix:
    """`eqx.nn.MLP(2, "scalar", …)` for a network of one output whose gradient is taken."""
    made, draft = expect(ir.Call, bound_to(file.unit, call.func)), Draft(file)
    require(file.is_api(made.func.site, *_GRADIENTS) and made.args)
    layer = plain_call(_made(file, made.args[0]))
    require(file.stands_for(layer.func.site, "equinox.nn.MLP") or file.stands_for(layer.func.site, "equinox.nn.Linear"))
    size = expect(ir.Constant, layer.args[1] if len(layer.args) > 1 else None)
    require(size.value == 1)
    draft.replace(size.site, '"scalar"')
    return draft.fix("Make the output a scalar", "callers get a number")


def _trains(file: File, call: ir.Call) -> bool:
    """Whether an optimiser is given the gradient: `updates, state = optimiser.update(gradient, state)`."""
    target = only_target(file.unit.statement(call.site))
    names = ir.names_below([target] if target is not None else [])
    for node in ir.walk(file.unit.scope(call.site).body):
        match node:
            case ir.Call(func=ir.Attribute(attr="update" | "apply_gradients"), args=[ir.Name(id=name), *_]):
                if name in names:
                    return True
    return False
