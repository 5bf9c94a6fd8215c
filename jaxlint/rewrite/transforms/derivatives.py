"""Functions that can be differentiated: continuous, of one number, with rules of their own as JAX calls them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from jaxlint.analysis.domain.values import Api, Array, Const, FunctionValue, Host, Transformed, Value
from jaxlint.analysis.transforms.custom_rules import CustomRuleSignature
from jaxlint.analysis.transforms.gradients import WrongGradient
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, held_by_object, only_result, only_target, own_returns, passed_function
from jaxlint.rewrite.calls import append_argument, end_of_parameter
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.draft import Draft, plain_call
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import (
    added,
    application,
    definition,
    names_in,
    result_of,
    returned,
    tuple_text,
    without_decorator,
)
from jaxlint.rewrite.operands import argument, in_parentheses, operand
from jaxlint.rewrite.requirements import NoFix, expect, is_plain, known, only, or_none, parts_of, require
from jaxlint.rewrite.statements import below, free_name
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_DISPLAY = Applicability.DISPLAY

_CHANGES = "it is a float from here on"


@or_none
def continuous(hazard: WrongGradient, file: File) -> Fix | None:
    require(hazard.site in file.unit)
    if hazard.reason == "output":
        result = result_of(file, hazard.function)
        return _modulus(file, result) if hazard.what == "a complex number" else _without_cast(file, result)
    call, node = file.unit.nodes[hazard.site], file.unit.nodes[hazard.operand]
    if hazard.key:
        return _other_argument(expect(ir.Call, call), file)
    if hazard.operand == hazard.site:  # the primals of `jax.jvp`
        match call:
            case ir.Call(args=[_, primals, _]):
                return _floats(file, primals)
        return None
    floats = _floats(file, node)
    if floats is not None:
        return floats
    require(isinstance(hazard.value, (Array, Host)) and not isinstance(node, ir.Constant))
    place = call.args.index(node) if isinstance(call, ir.Call) and node in call.args else 0
    require(not _is_index(file, hazard.function, place))  # no derivative passes through it
    edit = file.replace(node.site, f"{operand(file, node.site)}.astype(float)")
    return Fix("Make it a float", (edit,), changes=_CHANGES)


def _is_index(file: File, value: Value | None, place: int, depth: int = 0) -> bool:
    """Whether a function, or one that it hands its argument on to, takes elements by the argument at ``place``."""
    function = value.function if isinstance(value, FunctionValue) else None
    if function is None or place >= len(function.parameters) or depth > 3:
        return False
    name, home = function.parameters[place].name, file.holding(function.site)
    for node in ir.walk(function.body):
        if isinstance(node, ir.Subscript) and name in names_in(node.index):
            return True
        for at, given in enumerate(node.args if isinstance(node, ir.Call) else ()):
            if isinstance(given, ir.Name) and given.id == name and isinstance(node, ir.Call):
                if any(_is_index(home, each, at, depth + 1) for each in home.functions(node.func.site)):
                    return True
    return False


def _floats(file: File, node: ir.Node) -> Fix | None:
    """Floats in place of the integers that are written out, alone or in a tree."""
    leaves = list(_leaves(node))
    numbers = [each for each in leaves if isinstance(each, ir.Constant) and type(each.value) is int]
    if not numbers or not all(file.code(each.site).isdigit() for each in numbers):
        return None
    edits = tuple(file.insert(file.span(each.site)[1], ".0") for each in numbers)
    # Beside other leaves it may be a number that no derivative is wanted of.
    level = Applicability.UNSAFE if len(numbers) == len(leaves) else _DISPLAY
    return Fix("Write a float", edits, level, changes=_CHANGES)


def _leaves(node: ir.Node) -> Iterator[ir.Node]:
    """The leaves of a tree that is written out, in the order of the source."""
    if isinstance(node, ir.Sequence) and node.kind != "set":
        for each in node.elements:
            yield from _leaves(each)
    elif isinstance(node, ir.Dict):
        for each in node.values:
            yield from _leaves(each)
    else:
        yield node


def _other_argument(call: ir.Call, file: File) -> Fix:
    """`argnums` of the one argument that is a float, where a key comes first."""
    made = {value.site: value for value in file.values(call.func.site) if isinstance(value, Transformed)}
    first = only(made.values())
    transform = known(application(file, first))
    require("argnums" not in first.options and len(transform.args) < 2 <= len(call.args))
    number = only(number for number, each in enumerate(call.args) if _is_float(file, each))
    edit = added(file, transform, f"argnums={number}")
    return Fix(f"Differentiate with respect to `{file.code(call.args[number].site, 40)}`", (edit,), _DISPLAY)


def _is_float(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(
        (isinstance(value, Const) and isinstance(value.value, float))
        or (isinstance(value, (Array, Host)) and "float" in (value.aval.dtype or ""))
        for value in values
    )


def _modulus(file: File, result: ir.Node) -> Fix:
    """`jnp.abs(z) ** 2` for the one `z**2` of complex numbers in the result."""
    squares = []
    for node in ir.walk([result]):
        match node:
            case ir.Binary(op="**", left=base, right=ir.Constant(value=2)):
                dtypes = [getattr(getattr(value, "aval", None), "dtype", "") or "" for value in file.values(base.site)]
                squares += [base] if any("complex" in dtype for dtype in dtypes) else []
    site = only(squares).site
    modulus, imports = file.api("jax.numpy.abs")
    edit = Edit(*file.outer_span(site), f"{modulus}({argument(file, site)})")
    return Fix("Square the modulus", (edit,), imports=imports, changes="the result is real")


def _without_cast(file: File, result: ir.Node) -> Fix:
    """The result before it is made an integer."""
    match result:
        case ir.Call(func=ir.Attribute(value=value, attr="astype"), args=[dtype]):
            kinds = file.values(dtype.site)
            require(
                kinds and all(isinstance(kind, Api) and "int" in kind.name or isinstance(kind, Const) for kind in kinds)
            )
            edit = Edit(file.outer_span(value.site)[1], file.span(result.site)[1], "")
            return Fix("Return it before it is made an integer", (edit,), _DISPLAY)
    raise NoFix


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


_SHOWN = Applicability.DISPLAY
_PACKED = ("residuals", "cotangents", "primals", "tangents")  # JAX's own words for what it passes


@or_none
def fitting_rule(file: File, hazard: CustomRuleSignature, site: int) -> Fix | None:
    """The fix for a rule, or for the function it belongs to; None where it is not clear what is meant."""
    if hazard.reason == "missing" or hazard.role == "gradient":
        function = known(definition(file, hazard.function))
        edit = known(without_decorator(file, function))
        name = file.code(function.decorators[0].site)
        return Fix(f"Leave `{name}` out", (edit,), _SHOWN, changes="JAX derives the function")
    if hazard.reason == "count":
        return _with_none(file, site, hazard)
    rule = known(definition(file, hazard.rule))
    if hazard.reason in ("order", "arity"):
        return _with_parameters(file, rule, hazard)
    value = known(only_result(rule))
    match hazard.reason, hazard.role:
        case "tuple", _:
            return _in_a_tuple(file, value, hazard)
        case "length", _:
            return _with_zeros(file, value, hazard)
        case "pair", "fwd":
            return _with_residuals(file, rule, value, site)
        case "pair", "jvp":
            return _with_primal(file, rule, value, hazard)
    return None


# --- what a rule returns ----------------------------------------------------------------------


def _named(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _in_a_tuple(file: File, value: ir.Node, hazard: CustomRuleSignature) -> Fix:
    """One cotangent as a tuple; those of further arguments are zero."""
    require(hazard.what != "None" and hazard.expected >= 1)
    edit = Edit(
        *file.outer_span(value.site), tuple_text([argument(file, value.site), *["None"] * (hazard.expected - 1)])
    )
    if hazard.expected == 1:
        return Fix("Return it in a tuple", (edit,), changes="right where it is a gradient")
    return Fix(f"Return a zero gradient for {_named(hazard.given[1:])}", (edit,), _SHOWN)


def _with_zeros(file: File, value: ir.Node, hazard: CustomRuleSignature) -> Fix:
    """A cotangent of zero for each of the last arguments, which have none."""
    elements = parts_of(value, 1)
    missing = hazard.given[len(elements) :]
    require(len(elements) < hazard.expected)
    end = file.outer_span(elements[-1].site)[1]
    comma = file.source.text[end : end + 1] == ","  # of a tuple of one
    edit = Edit(end, end + comma, ", None" * len(missing))
    level = Applicability.UNSAFE if _ignores(definition(file, hazard.function), missing) else _SHOWN
    names = _named(missing)
    return Fix(f"Return a zero gradient for {names}", (edit,), level, changes=f"nothing is differentiated by {names}")


def _ignores(primal: ir.Function | None, names: Sequence[str]) -> bool:
    """Whether a function reads none of some parameters, but for deleting them."""
    body = [each for each in primal.body if not isinstance(each, ir.Delete)] if primal is not None else []
    return bool(body) and ir.names_below(body).keys().isdisjoint(names)


def _with_residuals(file: File, rule: ir.Function, value: ir.Node, site: int) -> Fix:
    """The value and what the backward rule reads: a parameter that both call the same, or nothing."""
    if isinstance(value, ir.Sequence):
        first, *others = (argument(file, each.site) for each in parts_of(value, 3))
        edit = returned(file, value, f"{first}, ({', '.join(others)})")
        return Fix("Return the residuals as one", (edit,), changes="the backward rule is given one tuple")
    backward = known(ir.given(expect(ir.Call, file.unit.parent(site)), 1, "bwd"))
    taken = known(only({definition(file, each) for each in file.values(backward.site)}))
    require(len(taken.parameters) >= 2 and all(each.kind == "ordinary" for each in taken.parameters))
    name = taken.parameters[-2].name
    if all(each.name != name for each in rule.parameters):
        require(name not in ir.names_below(taken.body))
        name = "None"
    edit = returned(file, value, f"{argument(file, value.site)}, {name}")
    return Fix(f"Return `{name}` for the backward rule as well", (edit,), changes=GUESSED)


def _with_primal(file: File, rule: ir.Function, value: ir.Node, hazard: CustomRuleSignature) -> Fix:
    """The value of the function before its tangent: where the rule has a variable for it."""
    if isinstance(value, ir.Sequence):
        first, second = (argument(file, each.site) for each in parts_of(value, 3)[:2])
        return Fix("Return the value and its tangent alone", (returned(file, value, f"{first}, {second}"),), _SHOWN)
    primal = known(definition(file, hazard.function))
    for node in ir.walk(rule.body, into_scopes=False):
        match node:
            case ir.Assign(targets=[ir.Name(id=name)], value=ir.Call(func=ir.Name(id=primal.name))):
                require(hazard.what != "None" and name != file.code(value.site))
                edit = returned(file, value, f"{name}, {argument(file, value.site)}")
                return Fix(f"Return `{name}`, the value, and the tangent", (edit,), changes=GUESSED)
    raise NoFix


# --- what a rule takes ------------------------------------------------------------------------


def _with_parameters(file: File, rule: ir.Function, hazard: CustomRuleSignature) -> Fix:
    """The parameters in JAX's order; those that are missing where they belong."""
    edited, codes = _parameters(file, rule)
    # Anything but JAX may call the rule where it is named more than once.
    named = ir.names_below(file.unit.module.body).get(rule.name, ())
    require(len(named) <= (0 if rule.decorators else 1))
    own = [name for name in hazard.given if name not in _PACKED]
    rest = [name for name in codes if name not in own]
    # A parameter would take the place of a variable that the rule reads from outside.
    require(not rest if hazard.role == "fwd" else len(rest) == 2 and rule.free.isdisjoint(set(own) - codes.keys()))
    order = [*own, *rest]
    text = ", ".join(codes.get(name, name) for name in order)
    return Fix(f"Take `{', '.join(order)}`", (Edit(*edited, text),), changes=GUESSED)


def _parameters(file: File, rule: ir.Function) -> tuple[tuple[int, int], dict[str, str]]:
    """Where the parameters stand, and each as it is written, where they are names and annotations."""
    parameters = rule.parameters
    require(parameters and all(each.kind == "ordinary" and each.default is None for each in parameters))
    start, end = file.span(parameters[0].site)[0], end_of_parameter(file, parameters[-1])
    parts = [part.strip() for part in file.source.text[start:end].split(",")]
    require(len(parts) == len(parameters))
    return (start, end), {each.name: part for part, each in zip(parts, parameters)}


# --- the function itself ----------------------------------------------------------------------


def _with_none(file: File, site: int, hazard: CustomRuleSignature) -> Fix:
    """`None` for the arguments that `defvjps` is given no rule for."""
    call = expect(ir.Call, file.unit.nodes[site])
    missing = hazard.given[len(call.args) :]
    require(call.args and missing and not call.keywords)
    edit = file.insert(file.outer_span(call.args[-1].site)[1], ", None" * len(missing))
    return Fix(f"Give {_named(missing)} no derivative", (edit,), _SHOWN)
