"""Rules of `jax.custom_vjp` and `jax.custom_jvp` written as JAX calls them: their parameters, and what they return."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.transforms.custom_rules import CustomRuleSignature
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import own_returns
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition, returned, without_decorator
from jaxlint.rewrite.operands import argument
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_SHOWN = Applicability.DISPLAY
_PACKED = ("residuals", "cotangents", "primals", "tangents")  # JAX's own words for what it passes


def fitting_rule(file: File, hazard: CustomRuleSignature, site: int) -> Fix | None:
    """The fix for a rule, or for the function it belongs to; None where it is not clear what is meant."""
    if hazard.reason == "missing" or hazard.role == "gradient":
        return _without_decorator(file, definition(file, hazard.function))
    if hazard.reason == "count":
        return _with_none(file, site, hazard)
    rule = definition(file, hazard.rule)
    if rule is None:
        return None
    if hazard.reason in ("order", "arity"):
        return _with_parameters(file, rule, hazard)
    returns = own_returns(rule)
    if len(returns) != 1 or returns[0].value is None:
        return None
    value = returns[0].value
    if hazard.reason == "tuple":
        return _in_a_tuple(file, value, hazard)
    if hazard.reason == "length":
        return _with_zeros(file, value, hazard)
    if hazard.reason == "pair" and hazard.role == "fwd":
        return _with_residuals(file, rule, value, site)
    if hazard.reason == "pair" and hazard.role == "jvp":
        return _with_value(file, rule, value, hazard)
    return None


# --- what a rule returns ----------------------------------------------------------------------


def _in_a_tuple(file: File, value: ir.Node, hazard: CustomRuleSignature) -> Fix | None:
    """One cotangent as a tuple; those of further arguments are zero."""
    if hazard.what == "None" or hazard.expected < 1:
        return None
    start, end = file.outer_span(value.site)
    rest = ", ".join(["None"] * (hazard.expected - 1))
    edit = Edit(start, end, f"({argument(file, value.site)},{' ' if rest else ''}{rest})")
    if not rest:
        return Fix("Return it in a tuple", (edit,), changes="right where it is a gradient")
    names = ", ".join(f"`{name}`" for name in hazard.given[1:])
    return Fix(f"Return a zero gradient for {names}", (edit,), _SHOWN)


def _with_zeros(file: File, value: ir.Node, hazard: CustomRuleSignature) -> Fix | None:
    """A cotangent of zero for each of the last arguments, which have none."""
    if not isinstance(value, ir.Sequence) or not 0 < len(value.elements) < hazard.expected:
        return None
    if any(isinstance(each, ir.Starred) for each in value.elements):
        return None
    end = file.outer_span(value.elements[-1].site)[1]
    comma = file.source.text[end : end + 1] == ","  # of a tuple of one
    missing = hazard.given[len(value.elements) :]
    names = ", ".join(f"`{name}`" for name in missing)
    edit = Edit(end, end + comma, ", None" * len(missing))
    level = Applicability.UNSAFE if _ignores(definition(file, hazard.function), missing) else _SHOWN
    return Fix(f"Return a zero gradient for {names}", (edit,), level, changes=f"nothing is differentiated by {names}")


def _ignores(primal: ir.Function | None, names: Sequence[str]) -> bool:
    """Whether a function reads none of some parameters, but for deleting them."""
    body = [each for each in primal.body if not isinstance(each, ir.Delete)] if primal is not None else []
    return bool(body) and not any(isinstance(each, ir.Name) and each.id in names for each in ir.walk(body))


def _with_residuals(file: File, rule: ir.Function, value: ir.Node, site: int) -> Fix | None:
    """The value and what the backward rule reads: a parameter that both call the same, or nothing."""
    if isinstance(value, ir.Sequence):
        if value.kind != "tuple" or len(value.elements) < 3 or any(isinstance(e, ir.Starred) for e in value.elements):
            return None
        first, *others = (argument(file, each.site) for each in value.elements)
        edit = returned(file, value, f"{first}, ({', '.join(others)})")
        return Fix("Return the residuals as one", (edit,), changes="the backward rule is given one tuple")
    call = file.unit.parent(site)
    backward = call.args[1] if isinstance(call, ir.Call) and len(call.args) > 1 else None
    known = {definition(file, each) for each in file.values(backward.site)} if backward is not None else set()
    taken = known.pop() if len(known) == 1 else None
    if taken is None or len(taken.parameters) < 2 or any(each.kind != "ordinary" for each in taken.parameters):
        return None
    name = taken.parameters[-2].name
    if any(each.name == name for each in rule.parameters):
        said = name
    elif not any(isinstance(node, ir.Name) and node.id == name for node in ir.walk(taken.body)):
        said = "None"
    else:
        return None
    code = argument(file, value.site)
    edit = returned(file, value, f"{code}, {said}")
    return Fix(f"Return `{said}` for the backward rule as well", (edit,), changes=GUESSED)


def _with_value(file: File, rule: ir.Function, value: ir.Node, hazard: CustomRuleSignature) -> Fix | None:
    """The value of the function before its tangent: where the rule has a variable for it."""
    if isinstance(value, ir.Sequence):
        if value.kind != "tuple" or len(value.elements) < 3 or any(isinstance(e, ir.Starred) for e in value.elements):
            return None
        first, second = (argument(file, each.site) for each in value.elements[:2])
        return Fix("Return the value and its tangent alone", (returned(file, value, f"{first}, {second}"),), _SHOWN)
    if hazard.what == "None":
        return None
    primal = definition(file, hazard.function)
    for node in ir.walk(rule.body, into_scopes=False):
        if isinstance(node, ir.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ir.Name):
            made = node.value
            if primal is not None and isinstance(made, ir.Call) and file.code(made.func.site) == primal.name:
                name = node.targets[0].id
                if not (isinstance(value, ir.Name) and value.id == name):
                    text = f"{name}, {argument(file, value.site)}"
                    title, edit = f"Return `{name}`, the value, and the tangent", returned(file, value, text)
                    return Fix(title, (edit,), changes=GUESSED)
    return None


# --- what a rule takes ------------------------------------------------------------------------


def _with_parameters(file: File, rule: ir.Function, hazard: CustomRuleSignature) -> Fix | None:
    """The parameters in JAX's order; those that are missing where they belong."""
    written = _parameters(file, rule)
    if written is None or _is_called(file, rule):
        return None
    start, end, codes = written
    own = [name for name in hazard.given if name not in _PACKED]
    if hazard.role == "fwd":
        if not set(codes) <= set(own):
            return None
        order = own
    else:
        rest = [name for name in codes if name not in own]
        if len(rest) != 2 or any(_is_read_outside(rule, name) for name in own if name not in codes):
            return None
        order = [*own, *rest]
    text = ", ".join(codes.get(name, name) for name in order)
    return Fix(f"Take `{', '.join(order)}`", (Edit(start, end, text),), changes=GUESSED)


def _parameters(file: File, rule: ir.Function) -> tuple[int, int, dict[str, str]] | None:
    """Where the parameters stand, and each as it is written; None where that is more than names and annotations."""
    parameters = rule.parameters
    if not parameters or any(each.kind != "ordinary" or each.default is not None for each in parameters):
        return None
    start, last = file.span(parameters[0].site)[0], parameters[-1]
    note = last.annotation
    end = file.outer_span(note.site)[1] if note is not None else file.span(last.site)[0] + len(last.name)
    parts = [part.strip() for part in file.source.text[start:end].split(",")]
    if len(parts) != len(parameters) or any(not part.startswith(each.name) for part, each in zip(parts, parameters)):
        return None
    return start, end, {each.name: part for part, each in zip(parts, parameters)}


def _is_called(file: File, rule: ir.Function) -> bool:
    """Whether anything but JAX may call the rule: it is named more than once."""
    if rule.is_lambda:
        return False
    named = [node for node in file.unit.own if isinstance(node, ir.Name) and node.id == rule.name]
    return len(named) > (0 if rule.decorators else 1)


def _is_read_outside(rule: ir.Function, name: str) -> bool:
    """Whether the rule reads a variable of that name from outside, which a parameter would replace."""
    return name in rule.free


# --- the function itself ----------------------------------------------------------------------


def _with_none(file: File, site: int, hazard: CustomRuleSignature) -> Fix | None:
    """`None` for the arguments that `defvjps` is given no rule for."""
    call = file.unit.nodes[site]
    if not isinstance(call, ir.Call) or call.keywords or not 0 < len(call.args) < hazard.expected:
        return None
    end = file.outer_span(call.args[-1].site)[1]
    missing = hazard.given[len(call.args) :]
    names = ", ".join(f"`{name}`" for name in missing)
    return Fix(f"Give {names} no derivative", (Edit(end, end, ", None" * len(missing)),), _SHOWN)


def _without_decorator(file: File, function: ir.Function | None) -> Fix | None:
    """The function without what asks for a rule: JAX derives it."""
    edit = without_decorator(file, function) if function is not None else None
    if function is None or edit is None:
        return None
    name = file.code(function.decorators[0].site)
    return Fix(f"Leave `{name}` out", (edit,), _SHOWN, changes="JAX derives the function")
