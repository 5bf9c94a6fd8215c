"""What a generator gives, in turn, where each value of it is known."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

MAX_ITEMS = 64


class Yields:
    """The values that one run of a generator gives."""

    __deletable__ = ("i",)  # mypyc lets `Interpreter.close` delete no other attribute

    def __init__(self, i: Interpreter) -> None:
        self.i = i
        self.around = i.undecided, i.uncertain_loops  # what is not certain around the call
        self.values: list[v.Value] = []
        self.exact = True  # each is given, once, and no other

    def give(self, values: Iterable[v.Value]) -> None:
        self.values += values
        if (self.i.undecided, self.i.uncertain_loops) != self.around or self.i.returned or self.i.breaks:
            self.exact = False

    def iterator(self) -> v.Iterator:
        join = self.i.transforms.tree_maps.either
        element = functools.reduce(join, self.values) if self.values else v.UNKNOWN
        if not self.exact or len(self.values) > MAX_ITEMS:
            return v.Iterator(element, form="yields" if len({each.key for each in self.values}) > 1 else "generator")
        return v.Iterator(element, tuple(self.values), over=())
