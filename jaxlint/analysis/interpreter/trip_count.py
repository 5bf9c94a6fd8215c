"""How many passes a `for` makes, where that is certain: such a loop is run as it happens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_AS_OTHERS = 3  # which a loop of unknown length takes, too
_MAX_CHARACTERS = 32  # of a string that is iterated over

Sources = tuple[v.Value, ...] | None


def items_in_turn(interpreter: Interpreter, value: v.Value) -> list[v.Value] | None:
    """The items, where each is known, of what is iterated over: of a string its characters."""
    if type(value) is v.Const and isinstance(value.value, str) and len(value.value) <= _MAX_CHARACTERS:
        return [v.Const(character) for character in value.value]
    if type(value) is v.Iterator and value.born in interpreter.iterators.advanced:
        return None
    found: list[v.Value] | None = interpreter.items_of(value)
    return found


def sources(iterables: Iterable[v.Value]) -> Sources:
    """What holds the items of iterables, and may grow while they are taken; None where that is not known."""
    found: list[v.Value] = []
    for value in iterables:
        if type(value) is not v.Iterator:
            found.append(value)
        elif value.over is not None:
            found += value.over
        elif value.form not in ("range", "view"):
            return None
    return tuple(found)


class Held:
    """What a loop takes its items from, as it was when the loop began."""

    def __init__(self, interpreter: Interpreter, iterable: v.Value) -> None:
        self.i = interpreter
        self.sources = sources((iterable,))
        self.lengths = self.now()

    def now(self) -> list[int | None]:
        held = [items_in_turn(self.i, each) for each in self.sources or ()]
        return [None if items is None else len(items) for items in held]

    def has_changed(self) -> bool:
        """Whether there are more items now, or fewer."""
        return self.lengths != self.now()


class Passes:
    """A loop over ``count`` items that are known, unless what holds them changes in it."""

    def __init__(self, held: Held, count: int) -> None:
        self.held = held
        self.count = count

    def are_certain(self) -> bool:
        return not self.held.has_changed()


def certain_passes(interpreter: Interpreter, iterable: v.Value) -> Passes | None:
    """The passes of a loop over ``iterable``; None where their number, or one of the items, is not known."""
    items = items_in_turn(interpreter, iterable)
    allowed = interpreter.allowed
    if (
        not items
        or len(items) > allowed.passes
        or (len(items) > _AS_OTHERS and len(items) * interpreter.passes_around > allowed.nested_passes)
    ):
        return None
    held = Held(interpreter, iterable)
    return None if held.sources is None else Passes(held, len(items))


def makes_no_pass(interpreter: Interpreter, node: ir.For, iterable: v.Value) -> bool:
    """Whether a loop has nothing to run over: one over `*args` or `**kwargs`, in the call at hand; any loop, where a pytree is unflattened."""
    if interpreter.pytree_classes.rebuilding and items_in_turn(interpreter, iterable) == []:
        return True
    over = node.iterable
    if isinstance(over, ir.Call) and isinstance(over.func, ir.Attribute) and not over.args:
        over = over.func.value
    scope = interpreter.frame.scope
    if not (isinstance(over, ir.Name) and isinstance(scope, ir.Function)):
        return False
    collects = any(each.name == over.id and each.kind in ("star", "double-star") for each in scope.parameters)
    return collects and items_in_turn(interpreter, iterable) == []
