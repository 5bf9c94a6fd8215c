"""Values that tell which branch was taken: None or an empty list on one path, and something else on the other.

    picked = None
    if shared:
        picked = random.normal(key)
    …
    if picked is None:  # reached only where `shared` is false

What runs behind a test of such a value runs under the condition of the branch as well, so that what the branch did, a draw
from a key for example, is known to have happened, or not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.state import Contents, Guards, ListObject, State
from jaxlint.analysis.interpreter.narrowing import value_of
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Kinds of values that are not None.
_OBJECTS = (v.Array, v.Tuple, v.Ref, v.FunctionValue, v.Partial, v.ClassValue, v.BoundMethod, v.Transformed)


class Correlations(Component):
    """Which condition is known to hold where a value is None, and where a list is empty."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # The condition, and its truth where the value is None: by the identity of what the paths were joined to.
        self.none: dict[Hashable, tuple[str, bool]] = {}
        # The same of lists that are empty, by location, with the contents of which it is true.
        self.empty: dict[int, tuple[Contents, str, bool]] = {}

    def differing(self, then: State, orelse: State) -> list[tuple[str, bool]]:
        """Variables of the running function that are None, or an empty list, on one of two paths alone: their names,
        and whether that is the first path."""
        serial = self.i.frame.serial
        first, second = then.frames.get(serial), orelse.frames.get(serial)
        found: list[tuple[str, bool]] = []
        if first is None or second is None:
            return found
        for name, value in second.items():
            other = first.get(name)
            if other is None or (other is value and (type(value) is not v.Ref or then.heap is orelse.heap)):
                continue
            one, two = _is_missing(other, then), _is_missing(value, orelse)
            if one is not None and two is not None and one is not two:
                found.append((name, one))
        return found

    def joined(self, names: Iterable[tuple[str, bool]], key: str) -> None:
        """The paths of a condition have met: what these variables are now tells which of them was taken."""
        assert self.i.state is not None
        variables = self.i.variables(self.i.frame)
        for name, polarity in names:
            self.merged(variables[name], key, polarity)

    def chosen(self, key: str | None, then: v.Value, orelse: v.Value, joined: v.Value) -> None:
        """A conditional expression gives one of two values."""
        assert self.i.state is not None
        one, two = _is_missing(then, self.i.state), _is_missing(orelse, self.i.state)
        if key is not None and one is not None and two is not None and one is not two and joined.ident is not None:
            self.merged(joined, key, one)

    def merged(self, value: v.Value, key: str, polarity: bool) -> None:
        """A value is None, or an empty list, where the condition has this truth, and else it is something."""
        if type(value) is v.Ref and self.i.state is not None:
            contents = self.i.state.heap.get(value.location)
            if contents is not None:
                self.empty[value.location] = contents, key, polarity
        elif type(value) is v.Unknown and value.ident is not None:
            self.none[value.ident] = key, polarity

    def implied(self, conditions: Iterable[tuple[ir.Node, bool]]) -> Guards:
        """The conditions of earlier branches that are decided where these hold."""
        if not self.none and not self.empty:
            return ()
        found: Guards = ()
        for node, holds in conditions:
            if type(node) is ir.Compare and len(node.ops) == 1 and node.ops[0] in ("is", "is not"):
                right = node.rights[0]
                if type(right) is ir.Constant and right.value is None:
                    is_none = (node.ops[0] == "is") is holds
                    value = value_of(self.i, node.left)
                    if value is not None and value.ident in self.none:
                        key, polarity = self.none[value.ident]
                        found += ((key, polarity is is_none),)
                continue
            value = value_of(self.i, node)
            if type(value) is v.Ref and value.location in self.empty and self.i.state is not None:
                contents, key, polarity = self.empty[value.location]
                if self.i.state.heap.get(value.location) is contents:
                    found += ((key, polarity is not holds),)
            elif holds and value is not None and value.ident in self.none:
                key, polarity = self.none[value.ident]
                found += ((key, not polarity),)
        return found


def _is_missing(value: v.Value, state: State) -> bool | None:
    """Whether a value is None or an empty list; None where that is not known."""
    if type(value) is v.Const:
        return value.value is None
    if type(value) is v.Ref:
        contents = state.heap.get(value.location)
        if type(contents) is ListObject:
            return None if contents.items is None else not contents.items
    return False if isinstance(value, _OBJECTS) else None
