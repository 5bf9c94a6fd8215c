"""Integers that a loop carries and adds the same number to in each pass: which values they take in all passes.

A body runs once, with a `Counter` for each of them. What it does with one is kept until the body has ended, and is looked at
with the first and the last value, where the number of passes is known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, only_result

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call
    from jaxlint.analysis.domain.context import Boundary

# The integers up to which each one has a place in a dtype.
_LIMITS = {"bfloat16": 256, "float16": 2048, "int8": 127, "uint8": 255, "int16": 32767, "uint16": 65535}


@hazard_class(consequence=Consequence.SILENT)
class NarrowCount(Hazard):
    """A loop counts further than a dtype goes. Site: what the body returns for the count, or the call of the loop."""

    dtype: str
    last: int  # what the count should end with
    loop: int


Use = Callable[[tuple[int, int]], None]  # what is to be looked at, with the least and the greatest value


class Counters(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Loop -> where in the carry its counters are, and what they begin with.
        self.starts: dict[int, list[tuple[tuple[Any, ...], int]]] = {}
        self.uses: dict[int, list[tuple[v.Counter, Use]]] = {}

    def carried(self, init: v.Value, carry: v.Value, boundary: Boundary) -> v.Value:
        """The carry as the body sees it, with a counter for each integer that begins with a known number."""
        starts: list[tuple[tuple[Any, ...], int]] = []
        marked: dict[tuple[Any, ...], v.Value] = {}
        before = dict(self.i.transforms.carries.leaves(init))
        for path, leaf in self.i.transforms.carries.leaves(carry):
            start = _known(before.get(path))
            if start is not None and type(leaf) is v.Array and leaf.aval.shape == ():
                counter = v.Counter(boundary.serial, len(starts), 0)
                starts.append((path, start))
                marked[path] = v.Array(
                    leaf.mode, leaf.aval.spanning(counter), leaf.origin, leaf.ident, leaf.needless, leaf.was
                )
        if not marked:
            return carry
        self.starts[boundary.serial], self.uses[boundary.serial] = starts, []
        return self.i.transforms.carries.replaced(carry, marked)

    def used(self, counter: v.Counter, use: Use) -> None:
        """Something is done with a counter, which is looked at when the loop has ended."""
        if counter.loop in self.uses:
            self.uses[counter.loop].append((counter, use))

    def ended(self, boundary: Boundary, carried: v.Value, steps: object, call: Call, body: v.Value, pair: bool) -> None:
        """The ``body`` has run, and hands on what it ``carried``; the loop makes ``steps`` passes.

        ``pair``: the body returns an output beside the carry.
        """
        starts, uses = self.starts.pop(boundary.serial, []), self.uses.pop(boundary.serial, [])
        if not starts or type(steps) is not int or steps < 2:
            return
        after = dict(self.i.transforms.carries.leaves(carried))
        for number, (path, start) in enumerate(starts):
            leaf = after.get(path)
            if type(leaf) is not v.Array:
                continue
            span, limit = leaf.aval.span, _LIMITS.get(leaf.aval.dtype or "")
            if limit is None or type(span) is not v.Counter or span[:2] != (boundary.serial, number):
                continue
            last = start + span.added * steps
            if abs(last) > limit * max(1, abs(span.added)):
                node = self.returned(body, (0, *path) if pair else path) or call.node
                self.i.report(NarrowCount(leaf.aval.dtype or "", last, call.site), node, node, v.UNKNOWN)
        for counter, use in uses:
            path, start = starts[counter.leaf]
            leaf = after.get(path)
            span = leaf.aval.span if type(leaf) is v.Array else None
            if type(span) is v.Counter and span[:2] == counter[:2] and span.added:
                first = start + counter.added
                last = first + span.added * (steps - 1)
                use((min(first, last), max(first, last)))

    def returned(self, body: v.Value, path: tuple[Any, ...]) -> ir.Node | None:
        """A part of what the body of a loop returns, where it is written out."""
        node: ir.Node | None = only_result(body.function) if type(body) is v.FunctionValue else None
        for key in path:
            known = type(node) is ir.Sequence and type(key) is int and key < len(node.elements)
            node = node.elements[key] if known and type(node) is ir.Sequence else None
        return bound_to(self.i.unit, node) if node is not None else None


def counted(call: Call) -> tuple[object, tuple[int, int] | None]:
    """How many passes a `fori_loop` makes, as `ended` takes it, and the first and the last of its indices."""
    bounds = v.constants([call.get(0, "lower") or v.UNKNOWN, call.get(1, "upper") or v.UNKNOWN], int)
    if bounds is None:
        return True, None
    lower, upper = bounds
    return upper - lower, (lower, upper - 1) if upper - lower > 1 else None


def _known(value: v.Value | None) -> int | None:
    """The integer that a loop begins with."""
    if type(value) is v.Const and type(value.value) is int:
        return value.value
    span = value.aval.span if type(value) is v.Array else None
    return span[0] if type(span) is tuple and span[0] == span[1] else None
