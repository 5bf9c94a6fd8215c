"""A function that the user wrote takes one parameter more, or gives one result more, and so do its calls in the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import BoundMethod, FunctionValue, Transformed, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, is_assigned, names_of, only_target, own_returns, parameter_of
from jaxlint.rewrite.arguments import append_argument
from jaxlint.rewrite.draft import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, is_path
from jaxlint.rewrite.requirements import NoFix, call_of, expect, is_plain, known, or_none, parts_of, require
from jaxlint.rewrite.statements import free_name, line_end, stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Edit

# What a transform is told that does not depend on how many parameters its function has.
_HARMLESS = frozenset(
    "static_argnums static_argnames donate_argnums donate_argnames keep_unused inline argnums has_aux holomorphic"
    " allow_int policy prevent_cse concrete".split()
)

_AHEAD = frozenset({"lower", "trace", "eval_shape"})  # methods of compiled functions


class VisibleCall(NamedTuple):
    """A call of the function, with the calls of the transforms that its result goes through, outermost first."""

    call: ir.Call
    transforms: tuple[ir.Call, ...] = ()


class Change(NamedTuple):
    """Edits that change a function and all its calls in the file, and whether there can be others elsewhere."""

    edits: tuple[Edit, ...]
    is_closed: bool

    @property
    def level(self) -> Applicability:
        """Display only where callers in other files may have to change as well."""
        return Applicability.UNSAFE if self.is_closed else Applicability.DISPLAY


def is_closed(file: File, function: ir.Function) -> bool:
    """Whether nothing outside the file calls the function: it is nested in another one, or named as private."""
    around = [
        each for each in file.unit.ancestors(function.site) if isinstance(each, (ir.Function, ir.ClassDefinition))
    ]
    return any(isinstance(each, ir.Function) for each in around) or any(
        each.name.startswith("_") and not each.name.startswith("__") for each in (function, *around)
    )


@or_none
def visible_calls(file: File, function: ir.Function, through: Iterable[str] = ("jax.jit",)) -> list[VisibleCall]:
    """The calls of a function in its file; None where one cannot be seen, or where it is used in another way.

    ``through`` are the transforms that may stand between the function and its calls.
    """
    require(not function.is_generator and not function.is_async)
    finder = _Finder(file, function, frozenset(through))
    made, holder = finder.decorators(), known(file.unit.parent(function.site))
    if function.is_lambda:
        found = finder.used(holder, ())
    elif function.is_method:
        found = finder.methods(made)
    else:
        found = finder.named(holder, function.name, made)
    return sorted(found, key=lambda each: each.call.site)


@or_none
def decorating_transforms(file: File, function: ir.Function, through: Iterable[str]) -> tuple[ir.Call, ...]:
    """The calls among the decorators that make one of the transforms ``through``; None where one is no such transform."""
    return _Finder(file, function, frozenset(through)).decorators()


class _Finder:
    def __init__(self, file: File, function: ir.Function, through: frozenset[str]) -> None:
        self.file = file
        self.function = function
        self.through = through

    def decorators(self) -> tuple[ir.Call, ...]:
        """The calls among the decorators, all of which make transforms."""
        require(all(map(self.is_transform, self.function.decorators)))
        return tuple(each for each in self.function.decorators if isinstance(each, ir.Call))

    def is_transform(self, node: ir.Node) -> bool:
        """Whether this is a transform to go through: `jax.jit`, `jax.jit(…)` or `partial(jax.jit, …)`."""
        if not isinstance(node, ir.Call):
            return self.file.is_api(node.site, *self.through)
        if any(keyword.name not in _HARMLESS for keyword in node.keywords):
            return False
        names = self.file.api_names(node.func.site)
        if names == {"functools.partial"}:
            return len(node.args) == 1 and self.is_transform(node.args[0])
        return len(node.args) <= 1 and bool(names) and names <= self.through

    def named(self, binding: ir.Node, name: str, made: tuple[ir.Call, ...]) -> list[VisibleCall]:
        """Calls through a name that ``binding`` alone binds."""
        unit, scope = self.file.unit, self.file.unit.scope(binding.site)
        require(name in scope.locals and len(bindings(scope, name)) == 1)
        require(not any(isinstance(node, (ir.Global, ir.Nonlocal)) and name in node.names for node in unit.own))
        read = [node for node in names_of(unit, scope, name) if not is_assigned(unit, node)]
        return [call for node in read for call in self.used(node, made)]

    def used(self, node: ir.Node, made: tuple[ir.Call, ...]) -> list[VisibleCall]:
        """Calls of the function that an expression stands for, which is used in no other way."""
        above = known(self.file.unit.parent(node.site))
        match above:
            case ir.Call(func=function) if function is node:
                return [VisibleCall(above, made)]
            case ir.Attribute(attr=attr) if attr in _AHEAD and (made or self.function.decorators):
                return [VisibleCall(call_of(self.file, above), made)]  # takes what a call takes
            case ir.Call() if self.is_mapped(above, node):
                return self.used(above, (above, *made))
            case ir.Assign(targets=[ir.Name(id=name)], value=ir.Call() as value) if value is node:
                return self.named(above, name, made)
        raise NoFix

    def is_mapped(self, call: ir.Node | None, function: ir.Node) -> bool:
        """Whether a call makes a transform of a function."""
        return isinstance(call, ir.Call) and call.args[:1] == (function,) and self.is_transform(call)

    def methods(self, made: tuple[ir.Call, ...]) -> list[VisibleCall]:
        """Calls of a method: each attribute of its name has to be one."""
        name = self.function.name
        require(not name.startswith("__"))
        found: list[VisibleCall] = []
        for node in self.file.unit.own:
            if not isinstance(node, ir.Attribute) or node.attr != name:
                continue
            values = self.file.values(node.site)
            callees = [entered(value) for value in values]
            if callees and all(callee is not None and callee is not self.function for callee in callees):
                continue
            require(callees and all(callee is self.function for callee in callees))
            above = expect(ir.Call, self.file.unit.parent(node.site))
            if self.is_mapped(above, node):
                found += [VisibleCall(call, (above, *made)) for call in self.kept(above)]
            else:
                require(above.func is node and all(type(value) is BoundMethod for value in values))
                found.append(VisibleCall(above, made))
        return found

    def kept(self, compiled: ir.Call) -> list[ir.Call]:
        """The calls of what an attribute holds, `self.run = jax.jit(self._run)`, which is used in no other way."""
        held = expect(ir.Attribute, only_target(self.file.unit.parent(compiled.site)))
        uses = [each for each in self.file.unit.own if isinstance(each, ir.Attribute) and each.attr == held.attr]
        calls = [expect(ir.Call, self.file.unit.parent(each.site)) for each in uses if each is not held]
        require(all(call.func in uses for call in calls))
        return calls


def entered(value: Value) -> ir.Function | None:
    """The function that a call of this value enters."""
    while isinstance(value, (BoundMethod, Transformed)):
        value = value.function
    return value.function if isinstance(value, FunctionValue) else None


_BY_POSITION = ("positional-only", "ordinary")
# These pass on what they are given, by keyword too, and count the parameters from the front.
_THROUGH = ("jax.jit", "jax.checkpoint", "jax.remat", "jax.grad", "jax.value_and_grad")


@or_none
def add_parameter(
    file: File,
    function: ir.Function,
    name: str,
    argument: Callable[[ir.Call], str | None],
    shadows: bool = False,
    rebinds: bool = False,
) -> Change:
    """Edits that let ``function`` take ``name``, and pass ``argument(call)`` for it at each call.

    With ``shadows`` the function may read a variable of that name from outside, which the parameter
    replaces; with ``rebinds`` it may be a variable of the function, whose assignment the caller takes out.
    None where a call cannot be seen or ``argument`` gives None for it, where the function is
    used as a value or decorated with something else than a transform, and where the name is taken.
    """
    calls = known(visible_calls(file, function, _THROUGH))
    require(rebinds or name not in function.locals)
    require(shadows or name not in function.free)
    edit, kind = known(parameter(file, function, name))
    passed = [_passed(file, function, use.call, name, kind, known(argument(use.call))) for use in calls]
    return Change(in_order([edit, *passed]), is_closed(file, function))


@or_none
def parameter(file: File, function: ir.Function, name: str) -> tuple[Edit, str]:
    """The edit that adds a required parameter as the last one, and the kind it is of."""
    by_position = [each for each in function.parameters if each.kind in _BY_POSITION]
    others = [each for each in function.parameters if each.kind in ("star", "keyword-only")]
    if others:
        return file.insert(end_of_parameter(file, others[-1]), f", {name}"), "keyword-only"
    if not function.parameters:
        head = re.compile(rf"\bdef\s+{re.escape(function.name)}\s*\(")
        start = known(head.search(file.source.text, file.span(function.site)[0])).end()
        return file.insert(start, name), "ordinary"
    require(by_position)  # not `**options` alone
    last = by_position[-1]
    if last.default is None:
        return file.insert(end_of_parameter(file, last), f", {name}"), last.kind
    require(last.kind == "ordinary")
    return file.insert(end_of_parameter(file, last), f", *, {name}"), "keyword-only"


def end_of_parameter(file: File, parameter: ir.Parameter) -> int:
    """Where a parameter ends, its annotation and default with it."""
    parts = [each for each in (parameter.default, parameter.annotation) if each is not None]
    if parts:
        return max(file.outer_span(each.site)[1] for each in parts)
    start, end = file.span(parameter.site)
    return start + file.source.text[start:end].index(parameter.name) + len(parameter.name)


def _passed(file: File, function: ir.Function, call: ir.Call, name: str, kind: str, code: str) -> Edit:
    """The edit that passes ``code``: by position where the call passes everything else so, else by keyword."""
    expected = sum(each.kind in _BY_POSITION for each in function.parameters) - function.is_method
    fits = not call.keywords and is_plain(call.args) and len(call.args) == expected
    require(fits or kind != "positional-only")
    return known(append_argument(file, call, code if fits and kind in _BY_POSITION else f"{name}={code}"))


_GIVING_RESULTS = ("jax.jit", "jax.checkpoint", "jax.remat", "jax.grad", "jax.value_and_grad", "jax.vmap")
_SIMPLE = (ir.Assign, ir.Augment, ir.Annotate, ir.Evaluate, ir.Return)
_EVALUATED_ONCE = (
    ir.Binary, ir.Unary, ir.Compare, ir.Call, ir.Keyword, ir.Subscript, ir.Attribute, ir.Sequence, ir.Dict,
)  # fmt: skip
_INERT = (ir.Name, ir.Constant, ir.Attribute, ir.Sequence)


class Receiver(NamedTuple):
    """What a call does with the further result: the target it is bound to, and a statement that comes next."""

    target: str
    after: str = ""


@or_none
def return_also(file: File, function: ir.Function, value: str, receive: Callable[[ir.Call], Receiver | None]) -> Change:
    """Edits that let ``function`` return ``value`` after what it returns, and each call receive it.

    ``value`` must be bound wherever the function returns. None where a call cannot be seen or
    ``receive`` gives None for it, and where a call stands in a place that cannot take two results.
    """
    calls = known(visible_calls(file, function, _GIVING_RESULTS))
    with_aux = {any(_has_aux(made) for made in use.transforms) for use in calls}
    returned = known(returned_too(file, function, value, beside_aux=True in with_aux))
    statements = [file.unit.statement(use.call.site) for use in calls]
    # Of two calls in one statement the first comes first, whatever is made of them.
    require(len(with_aux) == 1 and not function.is_lambda and len(set(statements)) == len(statements))
    edits, has_value = list(returned[0]), returned[1]
    for made in {each.site: each for use in calls for each in use.transforms}.values():
        if _differentiates(file, made) and not _has_aux(made):
            edits.append(known(append_argument(file, made, "has_aux=True")))
    for use, statement in zip(calls, statements):
        edits += _received(file, use, statement, known(receive(use.call)), has_value)
    return Change(in_order(edits), is_closed(file, function))


def always_returns(body: list[ir.Statement]) -> bool:
    """Whether control never runs off the end of a block."""
    last = body[-1] if body else None
    if isinstance(last, ir.If):
        return bool(last.orelse) and always_returns(last.body) and always_returns(last.orelse)
    if isinstance(last, ir.With):
        return always_returns(last.body)
    return isinstance(last, (ir.Return, ir.Raise))


def return_parameter(file: File, function: ir.Function, name: str) -> Change | None:
    """Edits that let ``function`` return its parameter too, and each call bind what it passed for it anew."""

    def receive(call: ir.Call) -> Receiver | None:
        passed = passed_for(function, call, name)
        is_target = passed is not None and is_path(passed, (ir.Constant, ir.Name))
        return Receiver(file.code(passed.site)) if passed is not None and is_target else None

    if any(each.name == name and each.kind in ("star", "double-star") for each in function.parameters):
        return None
    return return_also(file, function, name, receive)


def passed_for(function: ir.Function, call: ir.Call, name: str) -> ir.Node | None:
    """The argument that a call of ``function`` passes for a parameter; None where that is not plain to see."""
    names = [each.name for each in function.parameters if each.kind in ("positional-only", "ordinary")]
    at = names.index(name) - function.is_method if name in names else len(call.args)
    return ir.given(call, at, name) if at >= 0 else None


def first_passed(file: File, hazard: Hazard) -> tuple[File, ir.Expression]:
    """What the first of the callers passes that lead to a hazard, where its operand is a parameter; and the file of it."""
    node = expect(ir.Expression, file.unit.nodes[hazard.operand])
    for site in reversed([each for each in hazard.chain if each != hazard.site]):
        function = file.unit.scope(node.site)
        if not isinstance(node, ir.Name) or parameter_of(function, node.id) is None:
            break
        file = file.holding(site)
        node = _passed_to(file, expect(ir.Call, file.unit.nodes[site]), expect(ir.Function, function), node.id)
    return file, node


def _passed_to(file: File, call: ir.Call, function: ir.Function, name: str) -> ir.Expression:
    """What a call passes for a parameter of the function that it enters, be it through a class or a module of Flax."""
    values = file.values(call.func.site)
    if any(entered(value) is function for value in values) or values and function.name == "__init__":
        return expect(ir.Expression, passed_for(function, call, name))
    # `init` and `apply` take a key or the variables first.
    require(isinstance(call.func, ir.Attribute) and call.func.attr in ("init", "apply") and is_plain(call.args))
    require(function.name == "__call__" and call.args and all(each.name != "method" for each in call.keywords))
    names = [each.name for each in function.parameters]
    return expect(ir.Expression, ir.given(call, names.index(name), name))


def _has_aux(made: ir.Call) -> bool:
    """Whether a transform is told that the function returns something beside what is differentiated."""
    given = [each.value for each in made.keywords if each.name == "has_aux"]
    return bool(given) and expect(ir.Constant, given[0]).value is True


@or_none
def returned_too(file: File, function: ir.Function, value: str, beside_aux: bool = False) -> tuple[list[Edit], bool]:
    """Edits of the returns, and whether the function returned something before; ``beside_aux`` puts it into the second part."""
    returns = own_returns(function)
    values = [each.value for each in returns if each.value is not None and not ir.is_none(each.value)]
    if values:
        require(len(values) == len(returns) and always_returns(function.body))
        if beside_aux:
            return [_paired(file, parts_of(each, 2)[1], value) for each in values], True
        return [edit for each in values for edit in _with_second(file, each, value)], True
    edits = [file.replace(each.site, f"return {value}") for each in returns]
    if not always_returns(function.body):
        last = function.body[-1]
        require(stands_on_own_lines(file, last))
        end = line_end(file, file.span(last.site)[1])
        edits.append(file.insert(end, f"{file.source.newline}{file.indentation(function.body[0].site)}return {value}"))
    return edits, False


def _with_second(file: File, node: ir.Expression, second: str) -> list[Edit]:
    """The edits that make a pair of an expression and ``second``."""
    start, end = file.outer_span(node.site)
    text = file.source.text[start:end]
    bare = isinstance(node, ir.Sequence) and node.kind == "tuple" and not text.startswith("(")
    bare |= isinstance(node, (ir.Lambda, ir.Conditional, ir.Yield, ir.Starred)) and not text.startswith("(")
    if bare:
        return [file.insert(start, "("), file.insert(end, f"), {second}")]
    return [file.insert(end, f", {second}")]


def _paired(file: File, node: ir.Node, second: str) -> Edit:
    """A pair in the place of an expression."""
    return Edit(*file.outer_span(node.site), f"({argument(file, node.site)}, {second})")


def _differentiates(file: File, made: ir.Call) -> str:
    """The transform that gives a gradient which a call makes or binds; empty for any other."""
    names = file.api_names(made.func.site)
    if names == {"functools.partial"}:
        names = file.api_names(made.args[0].site)
    return next(iter(names & {"jax.grad", "jax.value_and_grad"}), "")


def _received(file: File, use: VisibleCall, statement: ir.Statement, receiver: Receiver, has_value: bool) -> list[Edit]:
    """Edits of one call and the statement around it."""
    call, second = use.call, receiver.target
    require(isinstance(statement, _SIMPLE) and stands_on_own_lines(file, statement))
    kinds = [kind for kind in (_differentiates(file, made) for made in use.transforms) if kind]
    require(not kinds or len(kinds) == 1 and has_value)
    with_gradient = kinds == ["jax.value_and_grad"]
    newline = f"{file.source.newline}{file.indentation(statement.site)}"
    edits: list[Edit] = []
    beside_aux = any(map(_has_aux, use.transforms))
    if receiver.after:
        edits.append(file.insert(line_end(file, file.span(statement.site)[1]), f"{newline}{receiver.after}"))
    if isinstance(statement, ir.Evaluate) and statement.value is call:
        require(not beside_aux)
        first = f"(_, {second}), _" if with_gradient else f"_, {second}"
        return [file.insert(file.span(call.site)[0], f"{first if has_value else second} = "), *edits]
    require(has_value)
    target = only_target(statement)
    if target is not None and getattr(statement, "value", None) is call:
        if beside_aux:
            pair = parts_of(target, 2)
            return [_paired(file, parts_of(pair[0], 2)[1] if with_gradient else pair[1], second), *edits]
        if not with_gradient:
            return [*_with_second(file, target, second), *edits]
        pair = expect(ir.Sequence, target).elements
        require(len(pair) == 2 and is_plain(pair[:1]))
        return [file.replace(pair[0].site, f"({file.code(pair[0].site)}, {second})"), *edits]
    require(
        not with_gradient
        and not beside_aux
        and _comes_first(file, call, statement)
        and "\n" not in file.code(call.func.site)
    )
    name = free_name(file, call.site, "result", "value", "output")
    lines = [f"{name}, {second} = {file.code(call.site)}", *([receiver.after] if receiver.after else []), ""]
    return [file.insert(file.span(statement.site)[0], newline.join(lines)), Edit(*file.outer_span(call.site), name)]


def _comes_first(file: File, call: ir.Call, statement: ir.Statement) -> bool:
    """Whether a statement evaluates ``call`` once, and before it nothing but names and constants."""
    if not isinstance(statement, (ir.Assign, ir.Evaluate, ir.Return)):
        return False
    node: ir.Node = call
    for above in file.unit.ancestors(call.site):
        if above is statement:
            return True
        if not isinstance(above, _EVALUATED_ONCE):
            return False
        start = file.span(node.site)[0]
        before = [each for each in above.children() if each is not node and file.span(each.site)[0] < start]
        if not all(isinstance(each, _INERT) for each in ir.walk(before)):
            return False
        node = above
    return False
