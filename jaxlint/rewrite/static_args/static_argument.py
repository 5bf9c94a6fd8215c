"""Making a traced parameter static: the rewrite of `jax.jit` that several rules offer.

It helps only where the value is a parameter of the jitted function, or is computed from one by
Python arithmetic, and where callers pass something that can be hashed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import (
    Api,
    Array,
    BoundMethod,
    ClassValue,
    Const,
    FunctionValue,
    Host,
    Static,
    Text,
    Tuple,
    Undecided,
    Value,
)
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, only_value, parameter_of
from jaxlint.rewrite.changes import COMPILED_ANEW
from jaxlint.rewrite.transform_options import added
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

if TYPE_CHECKING:
    from jaxlint.analysis.domain.hazards import Hazard
    from jaxlint.analysis.domain.origin import Origin
    from jaxlint.rewrite.file import File

_STATIC_ATTRIBUTES = frozenset({"shape", "ndim", "size", "dtype"})


@dataclass(frozen=True)
class TracedParameter:
    """The parameter a traced value comes from, and the transform that makes it a tracer."""

    parameter: ir.Parameter
    function: ir.Function
    transform: Origin


def make_static(hazard: Hazard, file: File) -> Fix | None:
    """The fix that makes the parameter behind ``hazard`` a static argument of its `jax.jit`."""
    found = traced_parameter(hazard, file)
    return None if found is None else static_fix(found, file)


def static_fix(found: TracedParameter, file: File, hashable: bool | None = None) -> Fix | None:
    """The fix that makes a parameter a static argument of the `jax.jit` that traces it; ``hashable`` is what one call passes."""
    if found.transform.transform != "jax.jit":
        return None
    finding, file = file, file.holding(found.transform.site)
    if found.function.site not in file.unit:
        return None
    passed = _callers_pass_hashable(file, found)
    hashable = passed if passed is not None else hashable or None
    if hashable is False or (hashable is None and found.transform.parent is not None):
        return None  # the edit would move the error to the call
    edits = static_edits(file, found)
    if edits is None:
        return None
    level = Applicability.UNSAFE if hashable else Applicability.DISPLAY
    fix = Fix(f"Make `{found.parameter.name}` static", edits[0], level, edits[1], COMPILED_ANEW)
    return finding.placed(fix, found.transform.site)


def traced_flag(hazard: Hazard, file: File) -> TracedParameter | None:
    """The parameter behind ``hazard`` where it is a flag: by its annotation, its default, or what every caller passes."""
    found = traced_parameter(hazard, file)
    if found is None:
        return None
    default, annotation = found.parameter.default, found.parameter.annotation
    is_flag = _is_truth_value(default) or (isinstance(annotation, ir.Name) and annotation.id == "bool")
    return found if is_flag or _callers_pass_truth_values(file.holding(found.transform.site), found) else None


def how_to_make_concrete(hazard: Hazard, file: File) -> str | None:
    """A sentence of help for a value that comes from a parameter; None for one that comes from elsewhere."""
    found = traced_parameter(hazard, file)
    if found is None:
        return None
    name, transform = found.parameter.name, found.transform.transform or ""
    if transform == "jax.jit":
        return f'Make `{name}` static (`static_argnames=("{name}",)`) and call {_called(found)} with a Python value for it.'
    if transform.endswith(".vmap"):
        return f"Take `{name}`, which is mapped over, from outside {_called(found)}, or set its entry of `in_axes` to `None`."
    return f"Take `{name}`, which `{transform.rpartition('.')[2]}` traces, from outside {_called(found)}."


def _called(found: TracedParameter) -> str:
    return "the lambda" if found.function.is_lambda else f"`{found.function.name}`"


def traced_parameter(hazard: Hazard, file: File) -> TracedParameter | None:
    """The parameter whose being static would make the demanded value concrete, if there is one.

    Follows the reasons of the hazard through helpers, and at each step checks that nothing but
    Python arithmetic lies between a parameter and what is passed on.
    """
    expression = file.unit.nodes[hazard.operand]
    step = hazard.whole_origin or hazard.origin
    while step is not None:
        parameter = _single_parameter(file, expression)
        if parameter is None:
            return None
        node = file.unit.nodes[step.site]
        if node is parameter and step.parent is not None:
            outer = file.unit.nodes[step.parent.site]
            if isinstance(outer, ir.Parameter) and _is_handed_on(file, outer):  # a transform does not touch it
                parameter, step = outer, step.parent
            if step.parent is None:
                return None
            function = file.unit.parent(parameter.site)
            assert isinstance(function, ir.Function)
            return TracedParameter(parameter, function, step.parent)
        above = file.unit.parent(step.site)
        if not isinstance(node, ir.Expression) or not isinstance(above, (ir.Call, ir.Keyword)):
            return None
        expression, step = node, step.parent
    return None


def _is_handed_on(file: File, parameter: ir.Parameter) -> bool:
    """Whether all that a function does with a parameter is to pass it as it is."""
    scope = file.unit.parent(parameter.site)
    reads = (
        [node for node in ir.walk([scope]) if isinstance(node, ir.Name) and node.id == parameter.name] if scope else []
    )
    return bool(reads) and all(isinstance(file.unit.parent(each.site), (ir.Call, ir.Keyword)) for each in reads)


def _single_parameter(file: File, expression: ir.Node) -> ir.Parameter | None:
    """The one parameter an expression is computed from, by operators alone."""
    found = {id(each): each for each in _inputs(file, expression, 0)}
    if len(found) != 1:
        return None
    return next(iter(found.values()))


def _inputs(file: File, node: ir.Node, depth: int) -> Iterator[ir.Parameter | None]:
    """Parameters an expression is computed from; None stands for anything else."""
    if isinstance(node, ir.Constant) or _is_static(node):
        return
    if isinstance(node, ir.Name):
        scope = defining_scope(file.unit, node.site, node.id)
        parameter = parameter_of(scope, node.id) if scope is not None else None
        value = only_value(scope, node.id) if scope is not None and parameter is None and depth < 8 else None
        if value is not None:
            yield from _inputs(file, value, depth + 1)
        else:
            yield parameter
    elif isinstance(node, (ir.Unary, ir.Binary)) or (isinstance(node, ir.Sequence) and node.kind != "set"):
        for child in node.children():
            yield from _inputs(file, child, depth)
    else:
        yield None


def _is_static(node: ir.Node) -> bool:
    """`x.shape[0]`, `x.ndim`, `len(x)`: a Python value whatever `x` is."""
    if isinstance(node, ir.Subscript):
        return _is_static(node.value)
    if isinstance(node, ir.Call):
        return isinstance(node.func, ir.Name) and node.func.id == "len"
    return isinstance(node, ir.Attribute) and node.attr in _STATIC_ATTRIBUTES


# --- where the function is jitted -------------------------------------------------------------


def static_edits(file: File, found: TracedParameter) -> tuple[tuple[Edit, ...], frozenset[ImportRequest]] | None:
    """The edits of the place that applies `jax.jit`, and the imports they need."""
    site = found.transform.site
    node = file.unit.nodes[site]
    if found.parameter.kind in ("star", "double-star"):
        return None
    decorators = found.function.decorators
    if decorators and node is decorators[-1] and isinstance(node, (ir.Name, ir.Attribute)):
        if not file.stands_for(node.site, "jax.jit"):
            return None
        partial, imports = file.api("functools.partial")
        added = _keyword(found, bound=False)
        return (file.replace(site, f"{partial}({file.code(site)}, {added})"),), imports
    if not isinstance(node, ir.Call) or not file.stands_for(node.func.site, "jax.jit"):
        if not (isinstance(node, ir.Call) and file.stands_for(node.func.site, "functools.partial")):
            return None
        if not node.args or not file.stands_for(node.args[0].site, "jax.jit"):
            return None
    is_decorator = bool(decorators) and node is decorators[-1]
    if not is_decorator and not (node.args and _names(file, node.args[0], found.function)):
        return None
    if any(keyword.name is None for keyword in node.keywords):
        return None
    bound = not is_decorator and _is_bound(file, node.args[0])
    edits = _extended(file, node, found, bound)
    return None if edits is None else (edits, frozenset())


def _extended(file: File, call: ir.Call, found: TracedParameter, bound: bool) -> tuple[Edit, ...] | None:
    """Edits that add the parameter to the static arguments a call already names, or name it as the first."""
    keywords = {keyword.name: keyword for keyword in call.keywords}
    names, numbers = keywords.get("static_argnames"), keywords.get("static_argnums")
    if len(call.args) > 1:
        return None  # what follows the function or `jax.jit` may say which arguments are static
    if names is None and numbers is None:
        return (added(file, call, _keyword(found, bound)),)
    edits = []
    position = _position(found, bound)
    # JAX derives the one from the other where only one is given.
    if names is not None:
        if numbers is None and found.parameter.kind == "positional-only":
            return None
        if not _holds(names.value, found.parameter.name):
            edits.append(_appended(file, names.value, f'"{found.parameter.name}"', str))
    if numbers is not None:
        if position is None:
            return None
        edits.append(_appended(file, numbers.value, str(position), int))
    if any(edit is None for edit in edits):
        return None
    return tuple(sorted((edit for edit in edits if edit is not None), key=lambda edit: edit.start))


def _holds(value: ir.Node, entry: str) -> bool:
    """Whether a literal of one or several has the entry already."""
    parts = value.elements if isinstance(value, ir.Sequence) else (value,)
    return any(isinstance(part, ir.Constant) and part.value == entry for part in parts)


def _appended(file: File, value: ir.Node, entry: str, kind: type) -> Edit | None:
    """The edit that adds an entry to a literal of one or several."""
    if isinstance(value, ir.Constant) and isinstance(value.value, kind):
        return file.replace(value.site, f"({file.code(value.site)}, {entry})")
    if isinstance(value, ir.Sequence) and value.kind != "set" and value.elements:
        end = file.outer_span(value.elements[-1].site)[1]
        comma = file.source.text[end] == ","  # of a tuple of one, which is now of two
        return Edit(end, end + comma, f", {entry}")
    return None


def _keyword(found: TracedParameter, bound: bool) -> str:
    if found.parameter.kind == "positional-only":
        return f"static_argnums=({_position(found, bound)},)"
    return f'static_argnames=("{found.parameter.name}",)'


def _position(found: TracedParameter, bound: bool) -> int | None:
    """Number of the parameter as `static_argnums` counts; None for one that is passed by keyword only."""
    if found.parameter.kind == "keyword-only":
        return None
    given = list(found.function.parameters)  # one that is new comes last
    return (given.index(found.parameter) if found.parameter in given else len(given)) - bound


def _names(file: File, node: ir.Node, function: ir.Function) -> bool:
    """Whether an expression is the function: its name, `self.name`, the lambda, or `jax.grad` of one."""
    if isinstance(node, ir.Lambda):
        return node.function is function
    if isinstance(node, ir.Attribute):
        return bool(node.attr == function.name)
    if isinstance(node, ir.Call):  # these keep the parameters of what they transform
        kept = any(file.stands_for(node.func.site, name) for name in ("jax.grad", "jax.value_and_grad", "jax.vmap"))
        return kept and bool(node.args) and _names(file, node.args[0], function)
    return isinstance(node, ir.Name) and node.id == function.name


def _is_bound(file: File, node: ir.Node) -> bool:
    """Whether a function has its `self` already, which `static_argnums` then does not count."""
    while isinstance(node, ir.Call):
        node = node.args[0]
    return any(isinstance(value, BoundMethod) for value in file.values(node.site))


# --- who calls it -----------------------------------------------------------------------------


def _callers_pass_hashable(file: File, found: TracedParameter) -> bool | None:
    """Whether every visible caller passes a hashable value; None where that cannot be told."""
    verdict: bool | None = True
    for use in _uses(file, found):
        above = file.unit.parent(use.site)
        if isinstance(above, ir.Call) and above.func is use:
            passed = _passed(above, found)
            known = True if passed is None else _hashable(file, passed)
        else:  # as an argument it is given to another transform, most likely
            known = False if isinstance(above, (ir.Call, ir.Keyword)) else None
        if known is False:
            return False
        if known is None:
            verdict = None
    return verdict


def _callers_pass_truth_values(file: File, found: TracedParameter) -> bool:
    """Whether there are visible callers, and each of them passes True or False."""
    uses = list(_uses(file, found))
    calls = [above for use in uses if isinstance(above := file.unit.parent(use.site), ir.Call) and above.func is use]
    return bool(uses) and len(calls) == len(uses) and all(_is_truth_value(_passed(call, found)) for call in calls)


def _is_truth_value(node: ir.Node | None) -> bool:
    return isinstance(node, ir.Constant) and isinstance(node.value, bool)


def _uses(file: File, found: TracedParameter) -> Iterator[ir.Node]:
    """The expressions that stand for the jitted function."""
    node = file.unit.nodes[found.transform.site]
    target: ir.Node | None = None
    if any(node is decorator for decorator in found.function.decorators):
        attribute, name = found.function.is_method, found.function.name
    else:
        above = file.unit.parent(node.site)
        target = above.targets[0] if isinstance(above, ir.Assign) and len(above.targets) == 1 else None
        if not isinstance(target, (ir.Name, ir.Attribute)):
            yield node
            return
        attribute = isinstance(target, ir.Attribute)
        name = target.attr if isinstance(target, ir.Attribute) else target.id
    home = defining_scope(file.unit, target.site if target is not None else found.function.site, name)
    for each in file.unit.own:
        if each is target:
            continue
        if attribute and isinstance(each, ir.Attribute) and each.attr == name:
            yield each
        elif not attribute and isinstance(each, ir.Name) and each.id == name:
            if defining_scope(file.unit, each.site, name) is home:
                yield each


def _passed(call: ir.Call, found: TracedParameter) -> ir.Node | None:
    """What a call passes for the parameter: an expression, the call itself if unclear, None for the default."""
    passed: ir.Node
    for keyword in call.keywords:
        if keyword.name == found.parameter.name:
            passed = keyword.value
            return passed
    if any(keyword.name is None for keyword in call.keywords) or any(isinstance(a, ir.Starred) for a in call.args):
        passed = call
        return passed
    position = _position(found, bound=found.function.is_method)
    return call.args[position] if position is not None and position < len(call.args) else None


def _hashable(file: File, node: ir.Node) -> bool | None:
    """Whether an argument can be hashed, and so be static; None where that cannot be told."""
    if isinstance(node, (ir.Dict, ir.Comprehension)) or (isinstance(node, ir.Sequence) and node.kind != "tuple"):
        return False
    return _all_hashable(file.values(node.site))


def _all_hashable(values: Sequence[Value]) -> bool | None:
    verdicts = [_is_hashable(value) for value in values]
    return False if False in verdicts else True if verdicts and None not in verdicts else None


def _is_hashable(value: Value) -> bool | None:
    if isinstance(value, (Const, Static, Text, Api, FunctionValue, ClassValue)):
        return True
    if isinstance(value, (Array, Host, Undecided)):
        return False
    if isinstance(value, Tuple) and value.items is not None:
        return _all_hashable(value.items) if value.items else True
    return None
