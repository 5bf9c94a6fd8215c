"""Keys that stand for one of many: the element a loop is at, the value behind any key of a dict.

Where such a key is held by one of several functions (`[lambda key=key: … for key in keys]`), one description stands
for all of them, and what it says of the key is no more than that it is one of many.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.origin import Origin
    from jaxlint.analysis.domain.state import Guards


class KeyElements(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Serials of keys that are elements of arrays, as loops see them.
        self.elements: set[v.Ident | None] = self.i.per_module(set())
        self.held: set[v.Ident | None] = self.i.per_module(set())  # those that one of several functions holds

    def element(self, keys: v.Array, mode: str, origin: Origin | None) -> v.Array:
        """One of an array of keys that is iterated over."""
        ident = v.fresh()
        self.elements.add(ident[0])
        return v.Array(mode, v.first_key(keys.aval), origin, ident)

    def another(self, value: v.Value) -> v.Value:
        """The next of several functions: the same code with keys of its own."""
        if type(value) is v.Partial:
            renewed = self.i.renewed
            return v.Partial(
                value.function, tuple(map(renewed, value.args)), {n: renewed(x) for n, x in value.keywords.items()}
            )
        if type(value) is v.FunctionValue:
            frame, free = value.frame, value.function.free
            found = list(value.defaults.values())
            while frame is not None and frame.parent is not None:
                found += [x for name, x in self.i.variables(frame).items() if name in free]
                frame = frame.parent
            self.held |= {
                x.ident[0] for x in found if type(x) is v.Array and x.ident is not None and x.ident[0] in self.elements
            }
        return value

    def is_held(self, ident: v.Ident) -> bool:
        return ident[0] in self.held

    def part(self, keys: v.Array, index: v.Slice, mode: str, origin: Origin | None) -> v.Array:
        """`keys[first:last]`, a part of them that is known to be apart from others."""
        count = keys.aval.shape[0] if keys.aval.shape else None
        bounds = [x.value for x in (index.lower, index.upper, index.step) if type(x) is v.Const]
        known = len(bounds) == 3 and all(
            x is None or (type(x) is int and x >= 0) or (type(x) is int and type(count) is int) for x in bounds[:2]
        )
        if not known or bounds[2] is not None or keys.ident is None or _slice_of(keys.ident) is not None:
            return v.Array(mode, v.Aval(keys.aval.dtype, None), origin, v.fresh())
        whole = range(count) if type(count) is int else range(1 << 40)
        taken = whole[bounds[0] : bounds[1]]
        shape = (len(taken), *keys.aval.shape[1:]) if type(count) is int and keys.aval.shape else None
        return v.Array(mode, v.Aval(keys.aval.dtype, shape), origin, (*keys.ident, ("slice", taken.start, taken.stop)))

    def in_whole(self, keys: v.Array, index: v.Value) -> v.Ident | None:
        """The ident of an element of such a part: that of the same element of the whole."""
        part = _slice_of(keys.ident) if keys.ident is not None else None
        if part is None:
            return None
        assert keys.ident is not None
        number = index.value if type(index) is v.Const else None
        if type(number) is int and part[1] <= part[1] + number < part[2]:
            return (*keys.ident[:-1], part[1] + number)
        return v.fresh()

    def behind(self, value: v.Value, index: v.Value) -> v.Value:
        """What a dict holds behind one key, where ``value`` stands for what it holds behind any."""
        if value.ident is None or type(value) not in (v.Array, v.Unknown):
            return value
        if type(value) is v.Array and value.aval.dtype not in v.KEYS:
            return value
        step: Any = ("index", index.ident) if index.ident is not None else None
        if type(index) is v.Const:
            step = index.key
        ident = v.fresh() if step is None else value.ident + (step,)
        return v.Array(value.mode, value.aval, value.origin, ident) if type(value) is v.Array else v.Unknown(ident)


def once(guards: Guards, loop: ir.For | ir.While | ir.Comprehension) -> bool:
    """Whether a guard lets one pass of the loop through: it asks for one value of the loop's variable."""
    targets: list[ir.Expression] = []
    if type(loop) is ir.For:
        targets = [loop.target]
    elif type(loop) is ir.Comprehension:
        targets = [clause.target for clause in loop.clauses]
    names = [node.id for node in ir.walk(targets) if isinstance(node, ir.Name)]
    return any(_asks_for_one(key, polarity, name) for key, polarity in guards for name in names)


def _asks_for_one(key: str, polarity: object, name: str) -> bool:
    while key.startswith("not ") and isinstance(polarity, bool):
        key, polarity = key[4:], not polarity
    name = re.escape(name)
    if polarity is True:
        return re.fullmatch(rf"{name} == .+|.+ == {name}|{name} < 1|{name} <= 0", key) is not None
    return (
        polarity is False and re.fullmatch(rf"{name}|{name} != .+|.+ != {name}|{name} > 0|{name} >= 1", key) is not None
    )


def _slice_of(ident: v.Ident) -> tuple[str, int, int] | None:
    return ident[-1] if type(ident[-1]) is tuple and ident[-1][0] == "slice" else None


def apart(first: Hashable, second: Hashable) -> bool:
    """Whether two steps into an array of keys lead to different ones of them."""
    low, high = (
        (x[1], x[2]) if type(x) is tuple and x[0] == "slice" else (x, x + 1) if type(x) is int else (0, 0)
        for x in (first, second)
    )
    if (type(first) is tuple and first[0] == "slice") or (type(second) is tuple and second[0] == "slice"):
        return low[0] >= high[1] or high[0] >= low[1]
    return bool(first != second)


def identity(operands: list[v.Value], aval: v.Aval) -> v.Ident:
    """The ident of keys that a function gives: of the key it is given, where it only gets another shape."""
    key = operands[0] if operands else None
    kept = len(operands) <= 2 and type(key) is v.Array and key.aval.dtype == v.TYPED_KEY and same_key(key, aval.shape)
    return key.ident if kept and key is not None and key.ident is not None else v.fresh()


def same_key(keys: v.Array, shape: v.Shape | None) -> bool:
    """Whether keys that are given another shape are one key, before as after."""
    before = keys.aval.shape
    return before is not None and shape is not None and all(size == 1 for size in (*before, *shape))
