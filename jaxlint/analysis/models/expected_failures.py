"""What the author expects to fail: asserting tests, tutorials that show an error, tests that are known to fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_FUNCTIONS = frozenset({
    "pytest.raises", "pytest.warns", "numpy.testing.assert_raises", "numpy.testing.assert_raises_regex",
})  # fmt: skip
_METHODS = frozenset({
    "assertRaises", "assertRaisesRegex", "assertWarns", "assertWarnsRegex", "assert_raises", "raises",
    "assertRaisesWithLiteralMatch", "assertRaisesWithPredicateMatch", "assertRaisesRegexp",
})  # fmt: skip
# Contexts that put something in the place of functions, and fixtures of pytest whose methods do.
_REPLACING = ("unittest.mock.", "mock.", "chex.fake_")
_REPLACING_FIXTURES = frozenset({"monkeypatch", "mocker"})
# Decorators of a test that fails as a whole.
_FAILING = frozenset({"pytest.mark.xfail", "unittest.expectedFailure"})


class Expected(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.called_names: dict[int, tuple[str, ...]] = {}  # by site of a function, what it calls

    def by(self, callee: v.Value | None, node: ir.Node) -> bool:
        """Whether a call is that of something that catches, and asks for, an exception."""
        if type(callee) is v.Api:
            return callee.name in _FUNCTIONS or callee.name.rpartition(".")[2] in _METHODS
        if type(callee) is v.Member:
            return callee.name in _METHODS
        return type(node) is ir.Call and type(node.func) is ir.Attribute and node.func.attr in _METHODS

    def replaces(self, callee: v.Value | None, node: ir.Node) -> bool:
        """Whether a context puts something in the place of functions: what fails with them may not fail there."""
        if type(callee) is v.FunctionValue:
            return self.puts_in_place(callee, set())
        if type(callee) is v.Api:
            return callee.name.startswith(_REPLACING)
        name = ir.dotted(node.func) if type(node) is ir.Call else None
        return name is not None and name.partition(".")[0] in _REPLACING_FIXTURES

    def puts_in_place(self, function: v.FunctionValue, seen: set[int]) -> bool:
        """Whether a function of the project, or one that it calls, makes such a context."""
        site = function.function.site
        seen.add(site)
        if site not in self.called_names:
            called = (ir.dotted(node.func) for node in ir.walk(function.function.body) if isinstance(node, ir.Call))
            self.called_names[site] = tuple(dict.fromkeys(name for name in called if name))
        for name in self.called_names[site]:
            value = self.i.named(name, function.frame)
            if type(value) is v.Api and value.name.startswith(_REPLACING):
                return True
            if type(value) is v.FunctionValue and value.function.site not in seen and self.puts_in_place(value, seen):
                return True
        return False

    def meant(self, call: Call) -> bool:
        """Whether a call is expected to fail: inside `pytest.raises` and similar contexts, or alone in a `try`.

        A `try` around a large block catches errors that its author did not expect.
        """
        if self.i.context.guard != "errors":
            return bool(self.i.context.guard == "all")
        for around in self.i.unit.ancestors(call.site):
            if isinstance(around, (ir.Try, ir.Scope, ir.For, ir.While)):
                return isinstance(around, ir.Try) and len(around.body) < 3
        return False

    def is_beside(self, node: ir.Node) -> bool:
        """Whether the function in which a class is defined expects an exception, as a test of what the class does does."""
        for above in self.i.unit.ancestors(node.site):
            if isinstance(above, ir.Function):
                blocks = (each for each in ir.walk(above.body, into_scopes=False) if type(each) is ir.With)
                entered = (item.context for each in blocks for item in each.items)
                return any(type(each) is ir.Call and ir.last_part(each.func) in _METHODS for each in entered)
        return False

    def fails(self, node: ir.Node, name: str) -> bool:
        """Whether a decorator says that the test fails, whatever the conditions."""
        if type(node) is ir.Call:
            if node.args or any(keyword.name == "condition" for keyword in node.keywords):
                return False
            callee = self.i.last_callee.get(node.site)
            name = callee.name if type(callee) is v.Api else ""
        return name in _FAILING

    def given(self, func: v.Value, call: Call) -> None:
        """The function that `assertRaises(TypeError, f, *args)` calls."""
        place = next((number for number, value in enumerate(call.args) if number and self.is_function(value)), None)
        if place is None or call.star or not self.by(func, call.node):
            return
        inner = Call(
            call.node,
            call.args[place + 1 :],
            call.arg_nodes[place + 1 :],
            call.keywords,
            call.keyword_nodes,
            False,
            call.double_star,
        )
        with self.i.within(self.i.context.but(guard="all")):
            self.i.call(call.args[place], inner)

    def is_function(self, value: v.Value) -> bool:
        return type(value) in (v.FunctionValue, v.Transformed, v.Partial, v.BoundMethod)
