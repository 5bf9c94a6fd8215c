"""Where a function that the user wrote is called: what must change with it when its signature does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.values import BoundMethod, FunctionValue, Transformed, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, is_assigned, names_of, only_target
from jaxlint.source.diagnostic import Applicability, Edit

if TYPE_CHECKING:
    from jaxlint.rewrite.file import File

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


def visible_calls(file: File, function: ir.Function, through: Iterable[str] = ("jax.jit",)) -> list[VisibleCall] | None:
    """The calls of a function in its file; None where one cannot be seen, or where it is used in another way.

    ``through`` are the transforms that may stand between the function and its calls.
    """
    if function.is_generator or function.is_async:
        return None
    finder = _Finder(file, function, frozenset(through))
    made, holder = finder.decorators(), file.unit.parent(function.site)
    if made is None or holder is None:
        return None
    if function.is_lambda:
        found = finder.used(holder, ())
    elif function.is_method:
        found = finder.methods(made)
    else:
        found = finder.named(holder, function.name, made)
    if found is None:
        return None
    found.sort(key=lambda each: each.call.site)
    sites = {each.call.site for each in found}
    nested = any(above.site in sites for each in found for above in file.unit.ancestors(each.call.site))
    return None if nested else found


def decorating_transforms(file: File, function: ir.Function, through: Iterable[str]) -> tuple[ir.Call, ...] | None:
    """The calls among the decorators that make one of the transforms ``through``; None where one is no such transform."""
    return _Finder(file, function, frozenset(through)).decorators()


class _Finder:
    def __init__(self, file: File, function: ir.Function, through: frozenset[str]) -> None:
        self.file = file
        self.function = function
        self.through = through

    def decorators(self) -> tuple[ir.Call, ...] | None:
        """The calls among the decorators that make transforms; None where one is no transform."""
        made = []
        for decorator in self.function.decorators:
            if not self.is_transform(decorator):
                return None
            if isinstance(decorator, ir.Call):
                made.append(decorator)
        return tuple(made)

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

    def named(self, binding: ir.Node | None, name: str, made: tuple[ir.Call, ...]) -> list[VisibleCall] | None:
        """Calls through a name that ``binding`` alone binds."""
        scope = self.file.unit.scope(binding.site) if binding is not None else None
        if scope is None or name not in scope.locals or len(bindings(scope, name)) != 1:
            return None
        if any(isinstance(node, (ir.Global, ir.Nonlocal)) and name in node.names for node in self.file.unit.own):
            return None
        found: list[VisibleCall] = []
        for node in names_of(self.file.unit, scope, name):
            if not is_assigned(self.file.unit, node):
                calls = self.used(node, made)
                if calls is None:
                    return None
                found += calls
        return found

    def used(self, node: ir.Node, made: tuple[ir.Call, ...]) -> list[VisibleCall] | None:
        """Calls of the function that an expression stands for; None where it is used in another way."""
        above = self.file.unit.parent(node.site)
        if isinstance(above, ir.Call) and above.func is node:
            return [VisibleCall(above, made)]
        if isinstance(above, ir.Attribute) and above.attr in _AHEAD and (made or self.function.decorators):
            call = self.file.unit.parent(above.site)  # takes what a call takes
            return [VisibleCall(call, made)] if isinstance(call, ir.Call) and call.func is above else None
        if isinstance(above, ir.Call) and above.args and above.args[0] is node and self.is_transform(above):
            return self.used(above, (above, *made))
        target = only_target(above)
        if isinstance(above, ir.Assign) and isinstance(target, ir.Name) and above.value is node:
            return self.named(above, target.id, made) if isinstance(node, ir.Call) else None
        return None

    def methods(self, made: tuple[ir.Call, ...]) -> list[VisibleCall] | None:
        """Calls of a method: each attribute of its name has to be one."""
        name = self.function.name
        if name.startswith("__"):
            return None
        found = []
        for node in self.file.unit.own:
            if not isinstance(node, ir.Attribute) or node.attr != name:
                continue
            callees = [entered(value) for value in self.file.values(node.site)]
            if callees and all(callee is not None and callee is not self.function for callee in callees):
                continue
            above = self.file.unit.parent(node.site)
            if not callees or not all(callee is self.function for callee in callees):
                return None
            if isinstance(above, ir.Call) and above.args and above.args[0] is node and self.is_transform(above):
                kept = self.kept(above)
                if kept is None:
                    return None
                found += [VisibleCall(call, (above, *made)) for call in kept]
                continue
            if not (isinstance(above, ir.Call) and above.func is node and _is_bound(self.file.values(node.site))):
                return None
            found.append(VisibleCall(above, made))
        return found

    def kept(self, compiled: ir.Call) -> list[ir.Call] | None:
        """The calls of what an attribute holds, `self.run = jax.jit(self._run)`; None where it is used in another way."""
        held = only_target(self.file.unit.parent(compiled.site))
        if not isinstance(held, ir.Attribute):
            return None
        uses = [each for each in self.file.unit.own if isinstance(each, ir.Attribute) and each.attr == held.attr]
        above = [self.file.unit.parent(each.site) for each in uses if each is not held]
        calls = [call for call in above if isinstance(call, ir.Call) and call.func in uses]
        return calls if len(calls) == len(above) else None


def entered(value: Value) -> ir.Function | None:
    """The function that a call of this value enters."""
    while isinstance(value, (BoundMethod, Transformed)):
        value = value.function
    return value.function if isinstance(value, FunctionValue) else None


def _is_bound(values: list[Value]) -> bool:
    return all(type(value) is BoundMethod for value in values)
