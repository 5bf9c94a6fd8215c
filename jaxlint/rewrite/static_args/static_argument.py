"""Making a traced parameter or `self` static: the rewrite of `jax.jit` that several rules offer.

It helps only where the value is a parameter of the jitted function, or is computed from one by
Python arithmetic, and where callers pass something that can be hashed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.interpreter.hashing import hashable_instances
from jaxlint.analysis.transforms.static_self import JitMethodWithoutStaticSelf
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, only_target, only_value, parameter_of, targets_of
from jaxlint.rewrite.arguments import with_element
from jaxlint.rewrite.calls import add_parameter
from jaxlint.rewrite.changes import COMPILED_ANEW, PASSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import entries_of, tuple_text, value_of
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import NoFix, expect, is_plain, known, only, or_none, plain_call, require
from jaxlint.rewrite.transforms.returned import holds_arrays_alone, registered_dataclass
from jaxlint.source.diagnostic import Applicability, Fix

_STATIC_ATTRIBUTES = frozenset({"shape", "ndim", "size", "dtype"})


@dataclass(frozen=True)
class TracedParameter:
    """The parameter a traced value comes from, and the transform that makes it a tracer."""

    parameter: ir.Parameter
    function: ir.Function
    transform: Origin

    @property
    def is_of_module(self) -> bool:
        """Whether a transform of Linen traces it, which is given the class of a module."""
        return (self.transform.transform or "").startswith("flax.linen.")


@or_none
def make_static(hazard: Hazard, file: File) -> Fix | None:
    """The fix that makes the parameter behind ``hazard`` a static argument of its `jax.jit`."""
    return static_fix(known(traced_parameter(hazard, file)), file)


@or_none
def static_fix(traced: TracedParameter, file: File, hashable: bool | None = None) -> Fix:
    """The fix that makes a parameter a static argument of the `jax.jit` that traces it; ``hashable`` is what one call passes."""
    if traced.is_of_module:
        return _static_of_module(traced, file)
    require(traced.transform.transform == "jax.jit")
    finding, file = file, file.holding(traced.transform.site)
    require(traced.function.site in file.unit)
    passed = _callers_pass_hashable(file, traced)
    hashable = passed if passed is not None else hashable or None
    # Else the edit would move the error to the call.
    require(hashable or (hashable is None and traced.transform.parent is None))
    level, draft = Applicability.UNSAFE if hashable else Applicability.DISPLAY, Draft(file)
    add_static(draft, traced)
    fix = draft.fix(f"Make `{traced.parameter.name}` static", COMPILED_ANEW, level)
    return finding.placed(fix, traced.transform.site)


def _static_of_module(traced: TracedParameter, file: File) -> Fix:
    """The fix that makes an argument of a module static where `nn.remat` lifts its class: one that is passed by position."""
    require(traced.transform.transform != "flax.linen.jit")  # which asks for the name of one that is passed by name
    lifting = file.holding(traced.transform.site)
    call = plain_call(lifting.unit.nodes[traced.transform.site])
    require(len(call.args) == 1 and value_of(call, "static_argnums") is None)
    draft = Draft(lifting)
    draft.append_argument(call, f"static_argnums=({known(_position(traced, bound=False))},)")
    return file.placed(draft.fix(f"Make `{traced.parameter.name}` static", COMPILED_ANEW), traced.transform.site)


def traced_flag(hazard: Hazard, file: File) -> TracedParameter | None:
    """The parameter behind ``hazard`` where it is a flag: by its annotation, its default, what every caller passes, or in a module."""
    traced = traced_parameter(hazard, file)
    if traced is None:
        return None
    default, annotation = traced.parameter.default, traced.parameter.annotation
    is_bool = _is_truth_value(default) or (isinstance(annotation, ir.Name) and annotation.id == "bool")
    is_flag = is_bool or traced.is_of_module
    return traced if is_flag or _callers_pass_truth_values(file.holding(traced.transform.site), traced) else None


def how_to_make_concrete(hazard: Hazard, file: File) -> str | None:
    """A sentence of help for a value that comes from a parameter; None for one that comes from elsewhere."""
    traced = traced_parameter(hazard, file)
    if traced is None:
        return None
    name, transform = traced.parameter.name, traced.transform.transform or ""
    if transform == "jax.jit":
        return f'Make `{name}` static (`static_argnames=("{name}",)`) and call {_called(traced)} with a Python value for it.'
    if traced.is_of_module:
        number, short = _position(traced, bound=False), transform.rpartition(".")[2]
        return (
            f"Make `{name}` static (`static_argnums=({number},)` of `nn.{short}`), and pass a Python value by position."
        )
    if transform.endswith(".vmap"):
        return f"Take `{name}`, which is mapped over, from outside {_called(traced)}, or set its entry of `in_axes` to `None`."
    return f"Take `{name}`, which `{transform.rpartition('.')[2]}` traces, from outside {_called(traced)}."


def _called(traced: TracedParameter) -> str:
    return "the lambda" if traced.function.is_lambda else f"`{traced.function.name}`"


@or_none
def traced_parameter(hazard: Hazard, file: File) -> TracedParameter:
    """The parameter whose being static would make the demanded value concrete, if there is one.

    Follows the reasons of the hazard through helpers, and at each step checks that nothing but
    Python arithmetic lies between a parameter and what is passed on.
    """
    expression, step = file.unit.nodes[hazard.operand], hazard.whole_origin or hazard.origin
    while step is not None:
        parameter, node = _single_parameter(file, expression), file.unit.nodes[step.site]
        if node is parameter and step.parent is not None:
            outer = file.unit.nodes[step.parent.site]
            if isinstance(outer, ir.Parameter) and _is_handed_on(file, outer):  # a transform does not touch it
                parameter, step = outer, step.parent
            function = expect(ir.Function, file.unit.parent(parameter.site))
            return TracedParameter(parameter, function, known(step.parent))
        require(isinstance(file.unit.parent(step.site), (ir.Call, ir.Keyword)))
        expression, step = expect(ir.Expression, node), step.parent
    raise NoFix


def _is_handed_on(file: File, parameter: ir.Parameter) -> bool:
    """Whether all that a function does with a parameter is to pass it as it is."""
    reads = ir.names_below([known(file.unit.parent(parameter.site))]).get(parameter.name, ())
    return bool(reads) and all(isinstance(file.unit.parent(each.site), (ir.Call, ir.Keyword)) for each in reads)


def _single_parameter(file: File, expression: ir.Node) -> ir.Parameter:
    """The one parameter an expression is computed from, by operators alone."""
    return known(only({id(each): each for each in _inputs(file, expression, 0)}.values()))


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


def add_static(draft: Draft, traced: TracedParameter) -> None:
    """Makes the parameter static in the place that applies `jax.jit`."""
    file, decorators = draft.file, traced.function.decorators
    node = file.unit.nodes[traced.transform.site]
    require(traced.parameter.kind not in ("star", "double-star"))
    is_decorator = bool(decorators) and node is decorators[-1]
    if is_decorator and isinstance(node, (ir.Name, ir.Attribute)):
        require(file.stands_for(node.site, "jax.jit"))
        draft.give_option(node.site, _keyword(traced, bound=False))
        return
    call = plain_call(node)
    if not file.stands_for(call.func.site, "jax.jit"):
        require(file.stands_for(call.func.site, "functools.partial"))
        require(call.args and file.stands_for(call.args[0].site, "jax.jit"))
    require(is_decorator or (call.args and _names(file, call.args[0], traced.function)))
    _extend(draft, call, traced, bound=not is_decorator and _is_bound(file, call.args[0]))


def _extend(draft: Draft, call: ir.Call, traced: TracedParameter, bound: bool) -> None:
    """Adds the parameter to the static arguments a call already names, or names it as the first."""
    names, numbers = value_of(call, "static_argnames"), value_of(call, "static_argnums")
    require(len(call.args) < 2)  # what follows the function or `jax.jit` may say which arguments are static
    if names is None and numbers is None:
        draft.append_argument(call, _keyword(traced, bound))
    # JAX derives the one from the other where only one is given.
    if names is not None:
        require(numbers is not None or traced.parameter.kind != "positional-only")
        if all(getattr(each, "value", None) != traced.parameter.name for each in ir.walk([names])):
            _append(draft, names, f'"{traced.parameter.name}"', str)
    if numbers is not None:
        _append(draft, numbers, str(known(_position(traced, bound))), int)


def _append(draft: Draft, value: ir.Node, entry: str, kind: type) -> None:
    """Adds an entry to a literal of one or several."""
    file = draft.file
    if isinstance(value, ir.Constant) and isinstance(value.value, kind):
        draft.replace(value.site, f"({file.code(value.site)}, {entry})")
        return
    entries = expect(ir.Sequence, value)
    require(entries.kind != "set" and entries.elements)
    draft.edits.append(with_element(file, entries.elements, entry))


def _keyword(traced: TracedParameter, bound: bool) -> str:
    if traced.parameter.kind == "positional-only":
        return f"static_argnums=({_position(traced, bound)},)"
    return f'static_argnames=("{traced.parameter.name}",)'


def _position(traced: TracedParameter, bound: bool) -> int | None:
    """Number of the parameter as `static_argnums` counts; None for one that is passed by keyword only."""
    if traced.parameter.kind == "keyword-only":
        return None
    given = list(traced.function.parameters)  # one that is new comes last
    return (given.index(traced.parameter) if traced.parameter in given else len(given)) - bound


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
    return any(isinstance(value, v.BoundMethod) for value in file.values(node.site))


# --- who calls it -----------------------------------------------------------------------------


def _callers_pass_hashable(file: File, traced: TracedParameter) -> bool | None:
    """Whether every visible caller passes a hashable value; None where that cannot be told."""
    verdicts: list[bool | None] = []
    for use in _uses(file, traced):
        above = file.unit.parent(use.site)
        if isinstance(above, ir.Call) and above.func is use:
            passed = _passed(above, traced)
            verdicts.append(True if passed is None else _hashable(file, passed))
        else:  # as an argument it is given to another transform, most likely
            verdicts.append(False if isinstance(above, (ir.Call, ir.Keyword)) else None)
    return _all_true(verdicts)


def _callers_pass_truth_values(file: File, traced: TracedParameter) -> bool:
    """Whether there are visible callers, and each of them passes True or False."""
    uses = list(_uses(file, traced))
    calls = [above for use in uses if isinstance(above := file.unit.parent(use.site), ir.Call) and above.func is use]
    return bool(uses) and len(calls) == len(uses) and all(_is_truth_value(_passed(call, traced)) for call in calls)


def _is_truth_value(node: ir.Node | None) -> bool:
    return isinstance(node, ir.Constant) and isinstance(node.value, bool)


def _uses(file: File, traced: TracedParameter) -> Iterator[ir.Node]:
    """The expressions that stand for the jitted function."""
    node = file.unit.nodes[traced.transform.site]
    target: ir.Node | None = None
    if any(node is decorator for decorator in traced.function.decorators):
        attribute, name = traced.function.is_method, traced.function.name
    else:
        target = only_target(file.unit.parent(node.site))
        if not isinstance(target, (ir.Name, ir.Attribute)):
            yield node
            return
        attribute = isinstance(target, ir.Attribute)
        name = target.attr if isinstance(target, ir.Attribute) else target.id
    home = defining_scope(file.unit, target.site if target is not None else traced.function.site, name)
    for each in file.unit.own:
        if each is target:
            continue
        if attribute and isinstance(each, ir.Attribute) and each.attr == name:
            yield each
        elif not attribute and isinstance(each, ir.Name) and each.id == name:
            if defining_scope(file.unit, each.site, name) is home:
                yield each


def _passed(call: ir.Call, traced: TracedParameter) -> ir.Node | None:
    """What a call passes for the parameter: an expression, the call itself if unclear, None for the default."""
    position = _position(traced, bound=traced.function.is_method)
    passed = ir.given(call, len(call.args) if position is None else position, traced.parameter.name)
    is_clear = is_plain(call.args) and all(keyword.name is not None for keyword in call.keywords)
    return passed if passed is not None or is_clear else call


def _hashable(file: File, node: ir.Node) -> bool | None:
    """Whether an argument can be hashed, and so be static; None where that cannot be told."""
    if isinstance(node, (ir.Dict, ir.Comprehension)) or (isinstance(node, ir.Sequence) and node.kind != "tuple"):
        return False
    return _all_true(map(_is_hashable, file.values(node.site) or [v.UNKNOWN]))


def _all_true(verdicts: Iterable[bool | None]) -> bool | None:
    found = set(verdicts)
    return False if False in found else None if None in found else True


def _is_hashable(value: v.Value) -> bool | None:
    if isinstance(value, v.Tuple) and value.items is not None:
        return _all_true(map(_is_hashable, value.items))
    if isinstance(value, (v.Const, v.Static, v.Text, v.Api, v.FunctionValue, v.ClassValue)):
        return True
    return False if isinstance(value, (v.Array, v.Host, v.Undecided)) else None


_READ_ONCE = "its attributes are read once for each object"


@or_none
def compiled_self(hazard: JitMethodWithoutStaticSelf, file: File) -> Fix:
    node, draft = file.unit.nodes[hazard.site], Draft(file)
    if hazard.attribute is not None:
        return _attribute_passed(hazard, draft, hazard.attribute)
    registered = registered_dataclass(file, hazard.cls.definition)
    if registered is not None and holds_arrays_alone(file, hazard.cls.definition):
        return registered
    if not hashable_instances(hazard.cls):
        return known(registered).lowered(Applicability.DISPLAY)
    if isinstance(node, (ir.Name, ir.Attribute)):
        draft.give_option(node.site, "static_argnums=0")
        return draft.fix("Make `self` static", _READ_ONCE)
    return _added(hazard, draft, expect(ir.Call, node))


def _added(hazard: JitMethodWithoutStaticSelf, draft: Draft, call: ir.Call) -> Fix:
    """`self` among the static arguments that the decorator has."""
    numbers, names = value_of(call, "static_argnums"), value_of(call, "static_argnames")
    require((numbers is None) != (names is None) and len(call.args) < 2)
    value, parameters = known(numbers or names), hazard.function.function.parameters
    require(all(isinstance(each, ir.Constant) for each in getattr(value, "elements", [value])))
    entries = entries_of(draft.file, value) if isinstance(value, ir.Sequence) else [draft.file.code(value.site)]
    require(entries)
    if names is not None:
        draft.replace_whole(value.site, tuple_text([f'"{parameters[0].name}"', *known(entries)]))
        return draft.fix("Make `self` static, too", _READ_ONCE)
    require(all(each.isdigit() for each in known(entries)))
    given = [int(each) for each in known(entries)]
    # Counted without `self`, where that leaves all of them among the parameters.
    counted = [each + (max(given) + 1 < len(parameters)) for each in given]
    draft.replace_whole(value.site, tuple_text(["0", *map(str, counted)]))
    return draft.fix("Count `self`, and make it static", _READ_ONCE)


def _attribute_passed(hazard: JitMethodWithoutStaticSelf, draft: Draft, name: str) -> Fix:
    """The attribute that changes as an argument of the method."""
    function, file = hazard.function.function, draft.file
    require(function.parameters)
    me = function.parameters[0].name
    uses = [file.unit.parent(each.site) for each in ir.names_below(function.body).get(me, ())]
    require(all(isinstance(each, ir.Attribute) for each in uses))  # it goes nowhere as a whole
    reads = [each for each in uses if isinstance(each, ir.Attribute) and each.attr == name]
    for node in ir.walk(function.body):
        require(not any(target in reads for target in targets_of(node)))
    change = known(add_parameter(file, function, name, lambda call: _attribute(file, call, name)))
    require(reads)
    draft.edits += change.edits
    for read in reads:
        draft.replace(read.site, name)
    return draft.fix(f"Pass `{name}` as an argument of `{function.name}`", PASSED, change.level)


@or_none
def _attribute(file: File, call: ir.Call, name: str) -> str:
    """The attribute of the object whose method is called, where that is not computed twice."""
    owner = expect(ir.Attribute, call.func).value
    require(isinstance(owner, (ir.Name, ir.Attribute)))
    return f"{operand(file, owner.site)}.{name}"
