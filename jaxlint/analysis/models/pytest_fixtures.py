"""Fixtures of pytest: what a test is given by the functions that bear the names of its parameters.

A fixture stands in the class of the test, in its module, in a module that this imports it from, or in a ``conftest.py`` of
the folders around it. With pytest-cases, functions of which each is a case give arguments as well.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Context

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.project.resolver import Place

FIXTURES = frozenset({"pytest.fixture", "pytest_cases.fixture"})
WITH_CASES = "pytest_cases.parametrize_with_cases"
CASE = "pytest_cases.case"
PARAMETRIZE = "pytest.mark.parametrize"
_MARKS = "pytestmark"  # of the tests of a module
_HOOK = "pytest_generate_tests"
_CHOOSING = frozenset({"glob", "has_tag", "filter"})  # of the cases
_HERE = "."
MAX_FOLDERS = 10  # around a test

Row = dict[str, v.Value]
Fixture = tuple[v.FunctionValue, Call | None]


class Fixtures(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # By the site of the class or the module, and the name: a fixture, and how it was decorated.
        self.known: dict[tuple[int, str], Fixture] = self.i.per_module({})
        self.sites: set[int] = self.i.per_module(set())  # of their functions
        self.hooked: dict[int, list[Call]] = {}  # of a test: what hooks ask to parametrize
        self.within: list[str] = []  # those that are being made
        self._places: list[Place] | None = None

    def defined(self, function: v.FunctionValue, call: Call | None) -> None:
        name = call.keywords.get("name") if call is not None else None
        self.known[_home(function), _name(name) or function.name] = function, call
        self.sites.add(function.function.site)

    def rows(self, test: v.FunctionValue, names: list[str]) -> list[Row]:
        """What ``names`` are in each run of a test, as far as the fixtures have parameters."""
        rows: list[Row] = [{}]
        for name in names:
            _, call = self._find(test, name)
            given = call.keywords.get("params") if call is not None else None
            items = self.i.items_of(given) if given is not None else None
            if items:
                rows = [{**row, name: item} for row in rows for item in items]
        return rows

    def make(
        self, test: v.FunctionValue, name: str, receiver: v.Value | None, chosen: v.Value | None
    ) -> v.Value | None:
        """What the fixture ``name`` gives, with the parameter that was chosen for it; None where there is no such fixture."""
        fixture, _call = self._find(test, name)
        if fixture is None or name in self.within or fixture.function.is_async:
            return None
        self.within.append(name)
        arguments = []
        try:
            (row,) = self.i.runners.few(self.i.runners.rows(fixture), 1)
            for number, parameter in enumerate(fixture.function.parameters):
                if number == 0 and fixture.owner is not None and receiver is not None:
                    arguments.append(receiver)
                elif parameter.name == "request":
                    arguments.append(self._request(chosen))
                else:
                    made = row.get(parameter.name) or self.make(test, parameter.name, receiver, None)
                    arguments.append(made if made is not None else self.i.anything(parameter))
        finally:
            self.within.pop()
        result = self.i.call_function(fixture, self.i.simple_call(fixture.function, arguments))
        return result.element if type(result) is v.Iterator and fixture.function.is_generator else result

    def prepare(self, test: v.FunctionValue, receiver: v.Value) -> None:
        """Run the fixtures that each test of a class is given without asking: they set attributes of the object."""
        for cls in reversed(test.owner.mro() if test.owner is not None else ()):
            for (home, name), (_, call) in list(self.known.items()):
                used = call.keywords.get("autouse") if call is not None else None
                if home == cls.definition.site and type(used) is v.Const and used.value is True:
                    self.make(test, name, receiver, None)

    def _find(self, test: v.FunctionValue, name: str) -> Fixture | tuple[None, None]:
        for cls in test.owner.mro() if test.owner is not None else ():
            if (cls.definition.site, name) in self.known:
                return self.known[cls.definition.site, name]
        found = self.known.get((test.frame.top.scope.site, name)) or self._known_as(self.i.named(name, test.frame.top))
        if found is not None:
            return found
        for place in self.places():
            # A fixture may bear another name than its function.
            held = self.i.names_of(place)
            module = self.i.modules.get(place.file or "")
            site = module.lowered.tree.module.site if module is not None and module.lowered is not None else -1
            value = held.get(name)
            if type(value) is v.Imported:
                value = self.i.look_up(value.place, value.name)
            found = self.known.get((site, name)) or self._known_as(value)
            if found is not None:
                return found
        return None, None

    def _known_as(self, value: v.Value | None) -> Fixture | None:
        """The fixture that a variable holds."""
        if type(value) is not v.FunctionValue:
            return None
        return self.known.get((_home(value), value.name))

    # --- cases --------------------------------------------------------------------------------

    def around(self, test: v.FunctionValue) -> Iterator[Call]:
        """Calls of `parametrize` that hold for a test without decorating it: marks of its module, and hooks that it is handed to."""
        top = test.frame.top
        marks = self.i.named(_MARKS, top) or v.NONE
        for mark in self.i.items_of(marks) or (marks,):
            if type(mark) is v.OpaqueInstance and mark.name == PARAMETRIZE and mark.ident in self.i.runners.calls:
                yield self.i.runners.calls[mark.ident]
        site = test.function.site
        if site not in self.hooked:
            hooks = [self.i.named(_HOOK, top), *(self.i.names_of(place).get(_HOOK) for place in self.places())]
            self.hooked[site] = [call for hook in hooks for call in self._asked(test, hook)]
        yield from self.hooked[site]

    def _asked(self, test: v.FunctionValue, hook: v.Value | None) -> Iterator[Call]:
        """The calls of `parametrize` that a hook makes for a test."""
        if type(hook) is not v.FunctionValue or not self.i.runners.is_called(test):
            return
        assert self.i.state is not None
        ident, names = v.fresh(), v.Tuple(tuple(v.Const(parameter.name) for parameter in test.function.parameters))
        for name, value in {"fixturenames": names, "function": test, "parametrize": v.Api(PARAMETRIZE)}.items():
            self.i.state.set_field(ident, name, value)
        known = len(self.i.runners.calls)
        variables: Row = {parameter.name: v.Unknown(ident) for parameter in hook.function.parameters}
        self.i.run(hook, variables, Context(), hook.function.site, hook.function.qualname, v.fresh()[0])
        for call in list(self.i.runners.calls.values())[known:]:
            callee = self.i.last_callee.get(call.node.site)
            if type(callee) is v.Api and callee.name == PARAMETRIZE:
                yield call

    def from_cases(self, test: v.FunctionValue, call: Call) -> Iterator[Row]:
        """The arguments of a test in each of the cases that its decorator asks for."""
        names, cases = written_names(self.i, call.get(0, "argnames")), call.get(1, "cases")
        prefix = call.keywords.get("prefix", v.Const("case_"))
        if cases is None or type(prefix) is not v.Const or not _CHOOSING.isdisjoint(call.keywords):
            return
        for case in self._cases(test, cases):
            if type(case) is v.FunctionValue and (case.name.startswith(str(prefix.value)) or case is cases):
                for given in self._given(test, case):
                    items = [given] if len(names) == 1 else self.i.items_of(given)
                    yield dict(zip(names, items or ()))

    def _cases(self, test: v.FunctionValue, cases: v.Value) -> Iterable[v.Value]:
        if type(cases) is v.Const and cases.value == _HERE:
            return list(self.i.variables(test.frame.top).values())
        if type(cases) is v.ModuleValue:
            return list(self.i.names_of(cases.place).values())
        if type(cases) is v.ClassValue:
            return list(cases.members.values())
        if type(cases) is v.FunctionValue:
            return [cases]
        return [each for item in self.i.items_of(cases) or () for each in self._cases(test, item)]

    def _given(self, test: v.FunctionValue, case: v.FunctionValue) -> Iterator[v.Value]:
        """What a case gives, for each row of its own parameters."""
        function = case.function
        for row in self.i.runners.rows(case):
            arguments: list[v.Value] = []
            for number, parameter in enumerate(function.parameters):
                if number == 0 and case.owner is not None and "staticmethod" not in self.i.markers(function):
                    arguments.append(self.i.receivers.of(case))
                else:
                    given = row.get(parameter.name) or self.make(test, parameter.name, None, None)
                    arguments.append(given or self.i.anything(parameter))
            result = self.i.call_function(case, self.i.simple_call(function, arguments), Context())
            yield result.element if type(result) is v.Iterator and function.is_generator else result

    # --- places -------------------------------------------------------------------------------

    def places(self) -> list[Place]:
        """Where fixtures for this file are, beside itself: the nearest first."""
        if self._places is None:
            self._places = list(self._conftests())
        return self._places

    def _conftests(self) -> Iterator[Place]:
        loader = self.i.loader
        if loader is None:
            return
        folder = os.path.abspath(os.path.dirname(self.i.unit.filename))
        root = os.path.abspath(loader.root)
        for level in range(1, MAX_FOLDERS):
            place = loader.locate(self.i.unit.filename, "conftest", level)
            if place is not None and place.file is not None:
                yield place
            if folder == root or folder == os.path.dirname(folder):
                return
            folder = os.path.dirname(folder)

    def _request(self, chosen: v.Value | None) -> v.Value:
        ident = v.fresh()
        if chosen is not None:
            assert self.i.state is not None
            self.i.state.set_field(ident, "param", chosen)
        return v.Unknown(ident)


def written_names(i: Interpreter, written: v.Value | None) -> list[str]:
    """The parameters that a decorator names: `"x, y"`, or a list of names."""
    if type(written) is v.Const and isinstance(written.value, str):
        return re.findall(r"\w+", written.value)
    parts = i.items_of(written) if written is not None else None
    return [str(part.value) for part in parts or () if type(part) is v.Const]


def _name(given: v.Value | None) -> str:
    return given.value if type(given) is v.Const and isinstance(given.value, str) else ""


def _home(function: v.FunctionValue) -> int:
    """The site of the class that a fixture stands in, else of its module."""
    return function.owner.definition.site if function.owner is not None else function.frame.top.scope.site
