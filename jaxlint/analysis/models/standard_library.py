"""Functions of Python's standard library that compare their arguments, ask for their truth or convert them, and `os.path.join`.

What the modules `math`, `operator` and `statistics` do is in the knowledge base.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import BuiltinReductionOnTracer, PythonCastOnTracer
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

JOIN = "os.path.join"
_SEARCHES = frozenset(
    f"bisect.{name}" for name in "bisect bisect_left bisect_right insort insort_left insort_right".split()
)
# Functions of a heap, with the number of elements from which on they compare, and where another element is, if any.
_HEAPS = {
    "heapq.heappush": (1, 1), "heapq.heappushpop": (1, 1), "heapq.heapreplace": (1, 1), "heapq.heapify": (2, -1),
    "heapq.heappop": (3, -1),
}  # fmt: skip
_RANKED = frozenset({"heapq.nlargest", "heapq.nsmallest"})
_TESTS = frozenset({"itertools.takewhile", "itertools.dropwhile", "itertools.filterfalse"})
# Arguments that are converted to a number: their positions, and their names where they have one.
_CONVERTED: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "fractions.Fraction": ((0, 1), ("numerator", "denominator")),
    "decimal.Decimal": ((0,), ("value",)),
    "itertools.islice": ((1, 2, 3), ()),
    "itertools.repeat": ((1,), ("times",)),
    "itertools.combinations": ((1,), ("r",)),
    "itertools.combinations_with_replacement": ((1,), ("r",)),
    "itertools.permutations": ((1,), ("r",)),
    "itertools.product": ((), ("repeat",)),
    "datetime.timedelta": (
        tuple(range(7)), ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"),
    ),
    "struct.pack": (tuple(range(1, 9)), ()),
}  # fmt: skip
_KNOWN = {*_SEARCHES, *_HEAPS, *_RANKED, *_TESTS, *_CONVERTED}
# Of these a value that is only differentiated is taken as a whole number.
_WHOLE = frozenset({name for name in _CONVERTED if name.startswith("itertools.")})


class StandardLibrary(Checker):
    """Calls of functions of the standard library."""

    def subscribe(self, events: Events) -> None:
        events.library_called.append(self.called, _KNOWN)

    def called(self, name: str, call: Call) -> None:
        if call.star or call.double_star:
            return
        if name in _SEARCHES:
            self.search(name, call)
        elif name in _HEAPS and call.args:
            least, position = _HEAPS[name]
            other = call.get(position, "item") if position > 0 else None
            self.heap(name, call, least, other)
        elif name in _RANKED and len(call.args) == 2 and "key" not in call.keywords:
            found = [*self.elements(call.args[1]), *self.elements(call.args[1])][:2]
            self.compared(name, call, found, call.arg_nodes[1])
        elif name in _TESTS and len(call.args) == 2:
            self.tested(name, call)
        elif name in _CONVERTED:
            self.converted(name, call)

    # --- comparisons --------------------------------------------------------------------------

    def search(self, name: str, call: Call) -> None:
        """`bisect.bisect(sorted, x)`, which compares the number with elements."""
        ordered, wanted = call.get(0, "a"), call.get(1, "x")
        node = call.node_of(1, "x")
        if ordered is None or wanted is None or node is None or self.i.items_of(ordered) == []:
            return
        if self.is_traced(wanted):
            self.i.report(BuiltinReductionOnTracer(), call.node, node, wanted, api=name)
        elif "key" not in call.keywords:
            self.compared(name, call, list(self.elements(ordered))[:1], call.node_of(0, "a") or call.node)

    def heap(self, name: str, call: Call, least: int, other: v.Value | None) -> None:
        """`heapq.heappush(heap, item)`: its elements are compared with one another, and with the item."""
        found = list(self.elements(call.args[0]))
        if len(found) < least:
            return
        if other is not None:
            self.compared(name, call, [self.first(other)], call.node_of(1, "item") or call.node)
        self.compared(name, call, found[:2], call.arg_nodes[0])

    def compared(self, name: str, call: Call, found: list[v.Value], node: ir.Node) -> None:
        """Report elements that are compared, one of which is a tracer."""
        traced = next((each for each in found if self.is_traced(each)), None)
        if traced is not None and (BuiltinReductionOnTracer, call.site) not in self.i.found:
            self.i.report(BuiltinReductionOnTracer(), call.node, node, traced, api=name)

    def elements(self, value: v.Value) -> Iterator[v.Value]:
        """What is compared of the elements of a sequence: of pairs the first. An array stands for two of them."""
        if type(value) is v.Array:
            yield from (value, value, value)
            return
        for each in self.i.items_of(value) or ():
            yield self.first(each)

    def first(self, value: v.Value) -> v.Value:
        items = self.i.items_of(value) if type(value) is v.Tuple else None
        return items[0] if items else value

    def is_traced(self, value: v.Value) -> bool:
        """Whether a comparison of a value gives what has no truth."""
        if type(value) is v.Array and value.mode == v.CONCRETE:
            return False
        return self.i.hard(value, "bool", containers_fail=type(value) is v.Undecided)

    def tested(self, name: str, call: Call) -> None:
        """`itertools.takewhile(test, elements)`, which decides by what the test says."""
        element = self.i.element_of(call.arg_nodes[1], call.args[1])
        plain = v.is_none(call.args[0])
        answer = element if plain else self.i.call(call.args[0], self.i.simple_call(call.node, [element]))
        if type(answer) is v.Array and self.i.hard(answer, "bool"):
            node = call.arg_nodes[1 if plain else 0]
            self.i.report(BuiltinReductionOnTracer(), call.node, node, answer, api=name)

    # --- conversions --------------------------------------------------------------------------

    def converted(self, name: str, call: Call) -> None:
        positions, names = _CONVERTED[name]
        given = [(call.args[each], call.arg_nodes[each]) for each in positions if each < len(call.args)]
        given += [(call.keywords[each], call.keyword_nodes[each]) for each in names if each in call.keywords]
        level = "bool" if name in _WHOLE else "float"
        for value, node in given:
            if type(value) in (v.Array, v.Undecided) and self.i.hard(value, level, containers_fail=True):
                self.i.report(PythonCastOnTracer(), call.node, node, value, api=name)
                return


def joined(name: str, call: Call) -> v.Value | None:
    """The path that `os.path.join` makes of strings; None where one is not known, and for any other function."""
    parts = v.constants(call.args, str) if name == JOIN and not call.star else None
    return v.Const(posixpath.join(*parts)) if parts else None
