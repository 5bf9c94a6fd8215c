"""Functions that can be differentiated: continuous, of one number, with rules of their own as JAX calls them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from jaxlint.analysis.domain.values import Api, Array, Const, FunctionValue, Host, Transformed, Value
from jaxlint.analysis.transforms.custom_rules import CustomRuleSignature
from jaxlint.analysis.transforms.gradients import WrongGradient
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result, only_target, own_returns, passed_function
from jaxlint.rewrite.arguments import with_element
from jaxlint.rewrite.calls import end_of_parameter
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.draft import Draft, passing
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import (
    application,
    definition,
    made_of,
    names_in,
    result_of,
    return_instead,
    tuple_text,
    without_decorator,
)
from jaxlint.rewrite.operands import argument, in_parentheses, operand
from jaxlint.rewrite.requirements import (
    NoFix,
    expect,
    is_plain,
    known,
    only,
    or_none,
    pair_of,
    parts_of,
    plain_call,
    require,
)
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_DISPLAY = Applicability.DISPLAY

_CHANGES = "it is a float from here on"


@or_none
def continuous(hazard: WrongGradient, file: File) -> Fix | None:
    draft = Draft(file)
    if hazard.reason == "output":
        result = result_of(file, hazard.function)
        return _modulus(draft, result) if hazard.what == "a complex number" else _without_cast(draft, result)
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
    draft.replace(node.site, f"{operand(file, node.site)}.astype(float)")
    return draft.fix("Make it a float", _CHANGES)


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
                if any(_is_index(home, each, at, depth + 1) for each in home.values(node.func.site)):
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
    title = f"Differentiate with respect to `{file.code(call.args[number].site, 40)}`"
    return known(passing(file, transform, f"argnums={number}", title, level=_DISPLAY))


def _is_float(file: File, node: ir.Node) -> bool:
    def is_float(value: Value) -> bool:
        is_array = isinstance(value, (Array, Host)) and "float" in (value.aval.dtype or "")
        return is_array or (isinstance(value, Const) and isinstance(value.value, float))

    return file.always(node.site, is_float)


def _modulus(draft: Draft, result: ir.Node) -> Fix:
    """`jnp.abs(z) ** 2` for the one `z**2` of complex numbers in the result."""
    squares = []
    for node in ir.walk([result]):
        match node:
            case ir.Binary(op="**", left=base, right=ir.Constant(value=2)):
                values = draft.file.values(base.site)
                dtypes = [getattr(getattr(value, "aval", None), "dtype", "") or "" for value in values]
                squares += [base] if any("complex" in dtype for dtype in dtypes) else []
    site = only(squares).site
    draft.replace_whole(site, draft.call("jax.numpy.abs", argument(draft.file, site)))
    return draft.fix("Square the modulus", "the result is real")


def _without_cast(draft: Draft, result: ir.Node) -> Fix:
    """The result before it is made an integer."""
    match result:
        case ir.Call(func=ir.Attribute(value=value, attr="astype"), args=[dtype]):
            require(draft.file.always(dtype.site, lambda kind: isinstance(kind, Const) or "int" in _name(kind)))
            end = draft.file.span(result.site)[1]
            draft.edits.append(Edit(draft.file.outer_span(value.site)[1], end, ""))
            return draft.fix("Return it before it is made an integer", level=_DISPLAY)
    raise NoFix


def _name(value: Value) -> str:
    return value.name if isinstance(value, Api) else ""


_GRADIENTS = ("jax.grad", "jax.value_and_grad")


@or_none
def one_number(file: File, site: int, hazard: WrongGradient) -> Fix | None:
    """The fix for the call, or the unpacking, at ``site``."""
    node = file.unit.nodes[site]
    if hazard.reason == "unpacked":
        return _pair_unpacked(Draft(file), node, hazard)
    if hazard.reason == "gradient":
        return _with_value(Draft(file), node)
    return _only_element(file, hazard) or _of_call(file, expect(ir.Call, node), hazard)


@or_none
def _of_call(file: File, call: ir.Call, hazard: WrongGradient) -> Fix | None:
    made, draft = made_of(file, call.func), Draft(file)
    require(file.is_api(made.func.site, *_GRADIENTS) and made.args)
    has_aux = any(keyword.name in ("has_aux", None) for keyword in made.keywords) or len(made.args) > 2
    if hazard.reason == "tree" and hazard.count == 2 and not has_aux:
        return _with_aux(draft, call, made)
    own = _only_here(file, made, hazard)
    value = only_result(own) if own is not None else None
    if own is not None and hazard.reason == "none" and not own_returns(own):
        return _last_assigned(draft, own)
    if value is not None and hazard.reason == "aux":
        return _as_pair(draft, value, hazard, _unpacking(file, call, made))
    if hazard.reason == "tree" and not has_aux:
        match value:
            case ir.Dict(keys=[ir.Expression()], values=[number]):
                return_instead(draft, value, argument(file, number.site))
                return draft.fix("Return the number itself", "callers get no dict")
    return _summed(draft, call, made, value) if hazard.reason == "shape" and not has_aux else None


def _with_value(draft: Draft, statement: ir.Node) -> Fix:
    """`value, gradient = jax.value_and_grad(f)(x)` for `jax.grad`."""
    match statement:
        case ir.Assign(targets=[ir.Sequence(elements=[_, _]), *_], value=ir.Call(func=ir.Call(func=gradient))):
            name = draft.file.api_name(gradient.site)
            require(name.endswith("grad"))
            draft.use(gradient.site, f"{name.removesuffix('grad')}value_and_grad")
            return draft.fix("Use `value_and_grad`", "the first name is the value of the function")
    raise NoFix


def _only_here(file: File, made: ir.Call, hazard: WrongGradient) -> ir.Function | None:
    """The function that is differentiated, where nothing else uses it."""
    function = hazard.function.function if isinstance(hazard.function, FunctionValue) else None
    return function if function is not None and passed_function(file.unit, made.args[0]) is function else None


# --- auxiliary values -------------------------------------------------------------------------


def _with_aux(draft: Draft, call: ir.Call, made: ir.Call) -> Fix:
    """`has_aux=True`, and the gradient alone of what the call gives then."""
    file = draft.file
    draft.append_argument(made, "has_aux=True")
    if made is not call.func:  # it has a name, which is called once
        require(len(ir.names_below(file.unit.module.body).get(expect(ir.Name, call.func).id, ())) == 2)
    target = _target(file, call)
    if file.is_api(made.func.site, "jax.value_and_grad"):
        pair = expect(ir.Sequence, target).elements
        require(len(pair) == 2)
        first = pair[0]
        if isinstance(first, ir.Sequence):  # the pair is unpacked already
            pair_of(first)
        else:
            draft.replace(first.site, f"({file.code(first.site)}, {free_name(file, call.site, '_', 'aux')})")
    elif target is not None:
        draft.insert(file.span(expect(ir.Name, target).site)[1], ", _")
    else:
        draft.insert(file.span(call.site)[1], "[0]")
    return draft.fix("Hand on the second result, with `has_aux=True`", "the first result alone is differentiated")


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


def _as_pair(draft: Draft, value: ir.Node, hazard: WrongGradient, target: ir.Node | None) -> Fix:
    """The number, and all the rest as one, where it is taken apart too; None where there is no rest."""
    if not isinstance(value, ir.Sequence):
        require(not hazard.count and hazard.what != "None")
        return_instead(draft, value, f"{argument(draft.file, value.site)}, None")
        return draft.fix("Return None for what is auxiliary", "callers get a pair")
    pairs = [parts_of(value, 3)]
    if isinstance(target, ir.Sequence) and len(target.elements) == len(value.elements):
        pairs.append(target.elements)
    for _, *rest in pairs:
        draft.edits += in_parentheses(draft.file, rest)
    return draft.fix("Return what is auxiliary as one", "callers get it as one tuple")


def _pair_unpacked(draft: Draft, statement: ir.Node, hazard: WrongGradient) -> Fix:
    """`value, aux, gradient = …` as `(value, aux), gradient = …`"""
    target = expect(ir.Sequence, only_target(statement))
    require(hazard.what == "aux" and hazard.count == 3 and is_plain(target.elements))
    draft.edits += in_parentheses(draft.file, target.elements[:2])
    return draft.fix("Unpack the pair of value and auxiliary", GUESSED)


# --- one number -------------------------------------------------------------------------------


def _last_assigned(draft: Draft, function: ir.Function) -> Fix:
    """What the last statement of the function computes, returned."""
    last = function.body[-1]
    name = expect(ir.Name, only_target(last)).id
    draft.below(last, f"return {name}")
    return draft.fix(f"Return `{name}`", GUESSED)


def _summed(draft: Draft, call: ir.Call, made: ir.Call, value: ir.Node | None) -> Fix:
    """The sum of the array: each element that depends on its own input alone gets its own derivative. In training, the mean."""
    reduction, changes = "sum", "`jax.jacrev` gives the derivative of each element"
    if _trains(draft.file, call):
        reduction, changes = "mean", "the sum may be meant"
    total = draft.api(f"jax.numpy.{reduction}")
    if value is not None:
        require(not isinstance(value, (ir.Sequence, ir.Comprehension)))
        draft.replace_whole(value.site, f"{total}({argument(draft.file, value.site)})")
    else:
        given, function = [expect(ir.Name, each).id for each in call.args], expect(ir.Name, made.args[0])
        require(given and not call.keywords)
        names = ", ".join(given)
        draft.replace(function.site, f"lambda {names}: {total}({function.id}({names}))")
    return draft.fix(f"Differentiate the {reduction}", changes)


@or_none
def _only_element(file: File, hazard: WrongGradient) -> Fix:
    """The number in an array of one, which the function returns in its place."""
    require(hazard.reason == "shape" and hazard.what == "an array of shape (1,)")
    if not isinstance(hazard.function, FunctionValue):
        return _of_scalar_output(file, expect(ir.Call, file.unit.nodes[hazard.site]))
    draft = Draft(file.holding(hazard.function.function.site))
    value = result_of(draft.file, hazard.function)
    require(not isinstance(value, (ir.Sequence, ir.Comprehension)))
    return_instead(draft, value, f"{operand(draft.file, value.site)}[0]")
    return file.placed(draft.fix("Return the one element", "callers get a number"), value.site)


def _of_scalar_output(file: File, call: ir.Call) -> Fix:
    """`eqx.nn.MLP(2, "scalar", …)` for a network of one output whose gradient is taken."""
    made, draft = made_of(file, call.func), Draft(file)
    require(file.is_api(made.func.site, *_GRADIENTS) and made.args)
    layer = plain_call(made_of(file, made.args[0]))
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


_PACKED = ("residuals", "cotangents", "primals", "tangents")  # JAX's own words for what it passes


@or_none
def fitting_rule(file: File, hazard: CustomRuleSignature, site: int) -> Fix | None:
    """The fix for a rule, or for the function it belongs to; None where it is not clear what is meant."""
    draft = Draft(file)
    if hazard.reason == "missing" or hazard.role == "gradient":
        function = known(definition(file, hazard.function))
        draft.edits.append(known(without_decorator(file, function)))
        return draft.fix(f"Leave `{file.code(function.decorators[0].site)}` out", "JAX derives the function", _DISPLAY)
    if hazard.reason == "count":
        return _with_none(draft, site, hazard)
    rule = known(definition(file, hazard.rule))
    if hazard.reason in ("order", "arity"):
        return _with_parameters(draft, rule, hazard)
    value = known(only_result(rule))
    match hazard.reason, hazard.role:
        case "tuple", _:
            return _in_a_tuple(draft, value, hazard)
        case "length", _:
            return _with_zeros(draft, value, hazard)
        case "pair", "fwd":
            return _with_residuals(draft, rule, value, site)
        case "pair", "jvp":
            return _with_primal(draft, rule, value, hazard)
    return None


# --- what a rule returns ----------------------------------------------------------------------


def _named(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _in_a_tuple(draft: Draft, value: ir.Node, hazard: CustomRuleSignature) -> Fix:
    """One cotangent as a tuple; those of further arguments are zero."""
    require(hazard.what != "None" and hazard.expected >= 1)
    entries = [argument(draft.file, value.site), *["None"] * (hazard.expected - 1)]
    draft.replace_whole(value.site, tuple_text(entries))
    if hazard.expected == 1:
        return draft.fix("Return it in a tuple", "right where it is a gradient")
    return draft.fix(f"Return a zero gradient for {_named(hazard.given[1:])}", level=_DISPLAY)


def _with_zeros(draft: Draft, value: ir.Node, hazard: CustomRuleSignature) -> Fix:
    """A cotangent of zero for each of the last arguments, which have none."""
    elements = parts_of(value, 1)
    missing = hazard.given[len(elements) :]
    require(len(elements) < hazard.expected)
    draft.edits.append(with_element(draft.file, elements, ", ".join(["None"] * len(missing))))
    level = Applicability.UNSAFE if _ignores(definition(draft.file, hazard.function), missing) else _DISPLAY
    names = _named(missing)
    return draft.fix(f"Return a zero gradient for {names}", f"nothing is differentiated by {names}", level)


def _ignores(primal: ir.Function | None, names: Sequence[str]) -> bool:
    """Whether a function reads none of some parameters, but for deleting them."""
    body = [each for each in primal.body if not isinstance(each, ir.Delete)] if primal is not None else []
    return bool(body) and ir.names_below(body).keys().isdisjoint(names)


def _with_residuals(draft: Draft, rule: ir.Function, value: ir.Node, site: int) -> Fix:
    """The value and what the backward rule reads: a parameter that both call the same, or nothing."""
    file = draft.file
    if isinstance(value, ir.Sequence):
        first, *others = (argument(file, each.site) for each in parts_of(value, 3))
        return_instead(draft, value, f"{first}, ({', '.join(others)})")
        return draft.fix("Return the residuals as one", "the backward rule is given one tuple")
    backward = known(ir.given(expect(ir.Call, file.unit.parent(site)), 1, "bwd"))
    taken = known(only({definition(file, each) for each in file.values(backward.site)}))
    require(len(taken.parameters) >= 2 and all(each.kind == "ordinary" for each in taken.parameters))
    name = taken.parameters[-2].name
    if all(each.name != name for each in rule.parameters):
        require(name not in ir.names_below(taken.body))
        name = "None"
    return_instead(draft, value, f"{argument(file, value.site)}, {name}")
    return draft.fix(f"Return `{name}` for the backward rule as well", GUESSED)


def _with_primal(draft: Draft, rule: ir.Function, value: ir.Node, hazard: CustomRuleSignature) -> Fix:
    """The value of the function before its tangent: where the rule has a variable for it."""
    file = draft.file
    if isinstance(value, ir.Sequence):
        return_instead(draft, value, ", ".join(argument(file, each.site) for each in parts_of(value, 3)[:2]))
        return draft.fix("Return the value and its tangent alone", level=_DISPLAY)
    primal = known(definition(file, hazard.function))
    for node in ir.walk(rule.body, into_scopes=False):
        match node:
            case ir.Assign(targets=[ir.Name(id=name)], value=ir.Call(func=ir.Name(id=primal.name))):
                require(hazard.what != "None" and name != file.code(value.site))
                return_instead(draft, value, f"{name}, {argument(file, value.site)}")
                return draft.fix(f"Return `{name}`, the value, and the tangent", GUESSED)
    raise NoFix


# --- what a rule takes ------------------------------------------------------------------------


def _with_parameters(draft: Draft, rule: ir.Function, hazard: CustomRuleSignature) -> Fix:
    """The parameters in JAX's order; those that are missing where they belong."""
    edited, codes = _parameters(draft.file, rule)
    # Anything but JAX may call the rule where it is named more than once.
    named = ir.names_below(draft.file.unit.module.body).get(rule.name, ())
    require(len(named) <= (0 if rule.decorators else 1))
    own = [name for name in hazard.given if name not in _PACKED]
    rest = [name for name in codes if name not in own]
    # A parameter would take the place of a variable that the rule reads from outside.
    require(not rest if hazard.role == "fwd" else len(rest) == 2 and rule.free.isdisjoint(set(own) - codes.keys()))
    order = [*own, *rest]
    draft.edits.append(Edit(*edited, ", ".join(codes.get(name, name) for name in order)))
    return draft.fix(f"Take `{', '.join(order)}`", GUESSED)


def _parameters(file: File, rule: ir.Function) -> tuple[tuple[int, int], dict[str, str]]:
    """Where the parameters stand, and each as it is written, where they are names and annotations."""
    parameters = rule.parameters
    require(parameters and all(each.kind == "ordinary" and each.default is None for each in parameters))
    start, end = file.span(parameters[0].site)[0], end_of_parameter(file, parameters[-1])
    parts = [part.strip() for part in file.source.text[start:end].split(",")]
    require(len(parts) == len(parameters))
    return (start, end), {each.name: part for part, each in zip(parts, parameters)}


# --- the function itself ----------------------------------------------------------------------


def _with_none(draft: Draft, site: int, hazard: CustomRuleSignature) -> Fix:
    """`None` for the arguments that `defvjps` is given no rule for."""
    call = expect(ir.Call, draft.file.unit.nodes[site])
    missing = hazard.given[len(call.args) :]
    require(call.args and missing and not call.keywords)
    draft.append_argument(call, ", ".join(["None"] * len(missing)))
    return draft.fix(f"Give {_named(missing)} no derivative", level=_DISPLAY)
