"""Fixtures of pytest: what a test is given by the functions that bear the names of its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

FIXTURE = "pytest.fixture"

Row = dict[str, v.Value]


class Fixtures:
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.i = interpreter
        # By class and name: a fixture, and how it was decorated.
        self.known: dict[tuple[int | None, str], tuple[v.FunctionValue, Call | None]] = self.i.per_module({})
        self.within: list[str] = []  # those that are being made

    def defined(self, function: v.FunctionValue, call: Call | None) -> None:
        name = call.keywords.get("name") if call is not None else None
        owner = function.owner.definition.site if function.owner is not None else None
        self.known[owner, str(name.value) if type(name) is v.Const else function.name] = function, call

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
            for number, parameter in enumerate(fixture.function.parameters):
                if number == 0 and fixture.owner is not None and receiver is not None:
                    arguments.append(receiver)
                elif parameter.name == "request":
                    arguments.append(self._request(chosen))
                else:
                    made = self.make(test, parameter.name, receiver, None)
                    arguments.append(made if made is not None else self.i.anything(parameter))
        finally:
            self.within.pop()
        result = self.i.call_function(fixture, self.i.simple_call(fixture.function, arguments))
        return result.element if type(result) is v.Iterator and fixture.function.is_generator else result

    def _find(self, test: v.FunctionValue, name: str) -> tuple[v.FunctionValue, Call | None] | tuple[None, None]:
        owner = test.owner.definition.site if test.owner is not None else None
        return self.known.get((owner, name)) or self.known.get((None, name)) or (None, None)

    def _request(self, chosen: v.Value | None) -> v.Value:
        ident = v.fresh()
        if chosen is not None:
            assert self.i.state is not None
            self.i.state.set_field(ident, "param", chosen)
        return v.Unknown(ident)
