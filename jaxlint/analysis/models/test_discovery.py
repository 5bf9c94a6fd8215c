"""Tests as their runner calls them: eagerly, after `setUp`, and with the arguments of each case.

What pytest, unittest, absl and chex call is known from names and decorators.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Context
from jaxlint.analysis.domain.state import DictObject, Instance
from jaxlint.analysis.models.chex_variants import VARIANTS, Variants, variant
from jaxlint.analysis.models.pytest_fixtures import CASE, FIXTURES, PARAMETRIZE, WITH_CASES, Fixtures, written_names
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_PARAMETERS = frozenset({"parameters", "named_parameters", "product"})
_PARAMETRIZING = (PARAMETRIZE, "pytest_cases.parametrize")
_PARAM = "pytest.param"
# They keep their arguments as they are.
DECORATORS = {
    *_PARAMETRIZING,
    _PARAM,
    CASE,
    WITH_CASES,
    *FIXTURES,
    *VARIANTS,
    *("absl.testing.parameterized." + name for name in _PARAMETERS),
}
_FAMILIES = ("pytest.", "pytest_cases.", "unittest.", "absl.testing.", "chex.", "hypothesis.")
_SET_UP = frozenset({"setUp", "tearDown", "setUpClass", "tearDownClass", "setup_method", "setup_class"})
_OF_RUNNER = re.compile(r"assert|fail$|skip|subTest$|add(Class)?Cleanup$|enter_context$|create_temp|log$|id$")

_ASSERTED = {"assertTrue": True, "assertFalse": False}
_OF_PROJECT = frozenset({v.FunctionValue, v.Partial})

Row = dict[str, v.Value]


class Runners(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.decorators: dict[int, list[tuple[str, Call | None]]] = {}  # function -> those it has, innermost first
        self.calls: dict[Any, Call] = {}  # those that made a decorator, by its ident
        self.others: set[int] = set()  # functions with decorators that are not known here
        self.wrappers: dict[int, v.FunctionValue] = {}  # what decorators of the project made of functions
        self.inside = False  # while a test runs
        self.fixtures = Fixtures(interpreter)
        self.variants = Variants(interpreter)

    def names(self, decorator: str) -> bool:
        return decorator.startswith(_FAMILIES)

    def decorator(self, name: str, call: Call) -> v.Value:
        """What a call of one of ``DECORATORS`` gives, which a variable may hold until it decorates."""
        if name == CASE and call.args and type(call.args[0]) is v.FunctionValue:
            return call.args[0]
        made = v.OpaqueInstance(name, tuple(call.args) if name == _PARAM and not call.star else (), v.fresh())
        self.calls[made.ident] = call
        return made

    def decorated(self, function: ir.Function, node: ir.Node, decorator: v.Value, value: v.Value) -> None:
        """A function has a decorator; ``value`` is what it is without."""
        call = self.i.last_calls.get(node.site) if type(node) is ir.Call else None
        callee = self.i.last_callee.get(node.site) if type(node) is ir.Call else decorator
        name = callee.name if type(callee) is v.Api else ""
        if type(decorator) is v.OpaqueInstance and decorator.ident in self.calls:
            name, call = decorator.name, self.calls[decorator.ident]
        if name in FIXTURES and type(value) is v.FunctionValue:
            self.fixtures.defined(value, call)
        if name.startswith(_FAMILIES) or name in ("builtins.staticmethod", "builtins.classmethod"):
            self.decorators.setdefault(function.site, []).append((name, call))
        else:
            self.others.add(function.site)

    def set_for(self, function: ir.Function, value: v.Value) -> None:
        """The decorator just met calls ``value`` as it is called, with a setting of JAX."""
        if type(value) is v.FunctionValue:
            self.others.discard(function.site)

    def applied(self, decorator: v.OpaqueInstance, call: Call) -> v.Value | None:
        """A decorator is called as a function, in one that the project defines; gives what it decorates."""
        value = call.args[0] if len(call.args) == 1 else None
        if type(value) is not v.FunctionValue or type(call.node) is not ir.Call:
            return None
        known, made = (
            self.decorators.setdefault(value.function.site, []),
            (decorator.name, self.calls.get(decorator.ident)),
        )
        if made not in known:
            known.append(made)
        return value

    def decorated_by(self, function: ir.Function, decorator: v.Value, value: v.Value, result: v.Value) -> None:
        """A decorator of the project made ``result`` of a function, and that is what its runner calls."""
        if type(decorator) in _OF_PROJECT and type(value) is v.FunctionValue and type(result) is v.FunctionValue:
            self.others.discard(function.site)
            if result.function is not function:
                self.wrappers[function.site] = result
            if value.function is function and self.is_called(value):
                self.i.activated.discard(function.site)  # what the wrapper made of it is not the runner's call

    def run(self, func: v.FunctionValue, context: Context) -> bool:
        """Run a function as a runner does; False where none calls it."""
        if not self.is_called(func):
            return False
        function = func.function
        self.i.activated.discard(function.site)
        context = Context().but(
            guard=self.i.intent(func), transparent=context.transparent or "disable_jit" in self.i.markers(function)
        )
        set_up = None
        if func.owner is not None and function.name.startswith("test"):
            set_up = func.owner.lookup("setUp" if _is_case(func.owner) else "setup_method")
        self.inside = True
        try:
            self._run_cases(func, set_up, context)
        finally:
            self.inside = False
        is_run = function.site in self.i.activated  # a wrapper that is not followed leads to no function
        self.i.activated.add(function.site)
        return is_run

    def _run_cases(self, func: v.FunctionValue, set_up: v.Value | None, context: Context) -> None:
        """Run a function for each row of its parameters, each on a copy of the state."""
        function, cases = func.function, self.cases(func)
        outer, wrapper = self.i.state, self.wrappers.get(function.site)
        for row, chosen in cases:
            assert outer is not None
            self.i.resume(outer.fork())
            variables: Row = {}
            for number, parameter in enumerate(function.parameters):
                if number == 0 and func.owner is not None and "staticmethod" not in self.i.markers(function):
                    variables[parameter.name] = receiver = self.receiver(func)
                    if function.name.startswith("test"):
                        self.fixtures.prepare(func, receiver)
                else:
                    given = row.get(parameter.name)
                    if given is None:
                        first = next(iter(variables.values()), None) if func.owner is not None else None
                        given = self.fixtures.make(func, parameter.name, first, chosen.get(parameter.name))
                    variables[parameter.name] = given or self.i.anything(parameter)
            if type(set_up) is v.FunctionValue:
                around = {each.name: self.i.anything(each) for each in set_up.function.parameters}
                around[set_up.function.parameters[0].name] = next(iter(variables.values()))
                self.i.run(set_up, around, context, function.site, set_up.name, v.fresh()[0])
            if wrapper is not None:
                self.i.call_function(wrapper, self.i.simple_call(function, list(variables.values())), context)
            else:
                self.i.activated.add(function.site)
                self.i.run(func, variables, context, function.site, function.qualname, v.fresh()[0])

    def is_called(self, func: v.FunctionValue) -> bool:
        function, owner = func.function, func.owner
        if (
            function.site in self.others
            or function.is_async
            or function.is_generator
            or function.site not in self.i.unit
        ):
            return False
        if owner is not None and _is_case(owner):
            return function.name.startswith("test") or function.name in _SET_UP
        if func.frame.parent is not None or not function.name.startswith("test"):
            return False
        stem = os.path.basename(self.i.unit.filename).removesuffix(".py")
        in_class = owner is None or (owner.definition.name.startswith("Test") and not owner.bases)
        return in_class and (stem.startswith("test_") or stem.endswith("_test"))

    def receiver(self, func: v.FunctionValue) -> v.Value:
        made: v.Value = self.i.receivers.of(func)
        contents = self.i.contents(made)
        if type(contents) is Instance:
            chosen = [(name, call) for name, call in self.decorators.get(func.function.site, ()) if name in VARIANTS]
            if chosen:
                contents.fields["variant"] = variant(*chosen[0])
        return made

    def cases(self, func: v.FunctionValue) -> list[tuple[Row, Row]]:
        """Arguments of each case, and the parameters of the fixtures that it is given."""
        rows = self.rows(func)
        asked = [p.name for p in func.function.parameters if p.name not in rows[0]]
        given = self.fixtures.rows(func, asked)
        if len(rows) * len(given) > self.i.allowed.cases:
            given = self.few(given)
        return [(row, chosen) for row in rows for chosen in given]

    # --- cases --------------------------------------------------------------------------------

    def rows(self, func: v.FunctionValue) -> list[Row]:
        """Arguments of each case by parameter; those of many cases joined."""
        rows: list[Row] = [{}]
        names = [p.name for p in func.function.parameters if p.kind in ("positional-only", "ordinary")]
        of_class = [
            (decorator.name, self.calls.get(decorator.ident))
            for cls in (func.owner.mro() if func.owner is not None else ())
            for decorator in cls.decorators
            if type(decorator) is v.OpaqueInstance
        ]
        around = [(PARAMETRIZE, call) for call in self.fixtures.around(func)]
        for name, call in (*self.decorators.get(func.function.site, ()), *of_class, *around):
            if call is None or call.star or call.double_star:
                continue
            last = name.rpartition(".")[2]
            if name.startswith("absl.testing.parameterized.") and last in _PARAMETERS:
                found = (
                    self.product(call)
                    if last == "product"
                    else list(self.listed(call.args, names[1:], last == "named_parameters"))
                )
            elif name in _PARAMETRIZING and "indirect" not in call.keywords:
                found = list(self.parametrized(call))
            elif name == WITH_CASES:
                found = list(self.fixtures.from_cases(func, call))
            else:
                continue
            rows = [{**row, **each} for row in rows for each in self.few(found)] if found else rows
        return self.few(rows)

    def listed(self, cases: list[v.Value], names: list[str], named: bool) -> Iterator[Row]:
        if len(cases) == 1 and type(cases[0]) is not v.Tuple and type(self.i.contents(cases[0])) is not DictObject:
            cases = self.i.items_of(cases[0]) or []
        for case in cases:
            contents = self.i.contents(case)
            if type(contents) is DictObject:
                yield {key: value for key, value in contents.items.items() if isinstance(key, str)}
                continue
            items = self.i.items_of(case)
            if items is None:
                items = [case] if type(case) in (v.Const, v.Api, v.FunctionValue) else []
            yield dict(zip(names, items[1:] if named else items))

    def product(self, call: Call) -> list[Row]:
        rows: list[Row] = [{}]
        factors = [list(self.listed(self.i.items_of(factor) or [], [], False)) for factor in call.args]
        factors += [[{name: item} for item in self.i.items_of(value) or ()] for name, value in call.keywords.items()]
        for factor in filter(None, factors):
            rows = self.few([{**row, **each} for row in rows for each in factor])
        return rows

    def parametrized(self, call: Call) -> Iterator[Row]:
        names, values = written_names(self.i, call.get(0, "argnames")), call.get(1, "argvalues")
        items = self.i.items_of(values) if values is not None else None
        for item in items or ():
            inner = [item] if len(names) == 1 else self.i.items_of(item)
            if type(item) is v.OpaqueInstance and item.name == _PARAM:
                inner = list(item.args) if len(item.args) == len(names) else None
            if inner is not None:
                yield dict(zip(names, inner))
            else:
                yield {}

    def few(self, rows: list[Row], most: int = 0) -> list[Row]:
        if len(rows) <= (most or self.i.allowed.cases):
            return rows
        joined = dict(rows[0])
        for row in rows[1:]:
            joined = {name: v.join(joined[name], row[name]) for name in joined if name in row}
        return [joined]

    # --- methods of test cases ----------------------------------------------------------------

    def has_no_variant(self, contents: Instance, name: str) -> bool:
        """Whether ``name`` is `variant`, which only the decorators of chex give to a test case."""
        bases = [base for each in contents.cls.mro() for base in each.bases]
        return (
            name == "variant"
            and _is_case(contents.cls)
            and not any(type(b) is v.Api and b.name.startswith("chex.") for b in bases)
        )

    def leaves_alone(self, base: v.Value, name: str) -> bool:
        """Whether a method of a test case is its runner's, and changes nothing of the test."""
        contents = self.i.contents(base)
        return type(contents) is Instance and _OF_RUNNER.match(name) is not None and _is_case(contents.cls)

    def asserted(self, node: ir.Node) -> None:
        """A statement `self.assertTrue(x)` was run: what follows it only runs where that is so."""
        if (
            type(node) is not ir.Call
            or type(node.func) is not ir.Attribute
            or node.func.attr not in _ASSERTED
            or self.i.state is None
        ):
            return
        call, base = self.i.last_calls.get(node.site), self.i.bases.get(node.func.site)
        if (
            call is None
            or base is None
            or not node.args
            or not call.args
            or not self.leaves_alone(base, node.func.attr)
        ):
            return
        self.i.goes_on_where(node.args[0], call.args[0], _ASSERTED[node.func.attr])


def _is_case(cls: v.ClassValue) -> bool:
    bases = [base for each in cls.mro() for base in each.bases]
    return any(type(base) is v.Api and base.name.rpartition(".")[2].endswith("TestCase") for base in bases)
