"""Where a function that the user wrote is called: what must change with it when its signature does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from jaxlint.analysis.domain.values import BoundMethod, FunctionValue, Transformed, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, is_assigned, names_of, only_target
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
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
    sites = {each.call.site for each in found}
    require(not any(above.site in sites for each in found for above in file.unit.ancestors(each.call.site)))
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
                call = expect(ir.Call, self.file.unit.parent(above.site))  # takes what a call takes
                require(call.func is above)
                return [VisibleCall(call, made)]
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
