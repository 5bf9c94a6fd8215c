"""Rules of `jax.custom_vjp` and `jax.custom_jvp` written as JAX calls them: their parameters, and what they return."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jaxlint.analysis.transforms.custom_rules import CustomRuleSignature
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition, returned, without_decorator
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.parameters import end_of_parameter
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, parts_of, require
from jaxlint.rewrite.transform_options import tuple_text
from jaxlint.source.diagnostic import Applicability, Edit, Fix

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
            return _with_value(file, rule, value, hazard)
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


def _with_value(file: File, rule: ir.Function, value: ir.Node, hazard: CustomRuleSignature) -> Fix:
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
