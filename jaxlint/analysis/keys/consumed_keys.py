"""Which of the keys that were consumed a key may have a part in common with, without a look at each of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Any

from jaxlint.analysis.domain.values import Ident

Table = dict[Ident, Any]
_ANY = None  # of the second step of an ident: none, or one that may be any element


class ConsumedKeys:
    """An index of the keys that a state has consumed, by the object and the element of it.

    Tables of states grow and are replaced, and lose nothing: of the one that was asked last only what is new is read.
    """

    def __init__(self) -> None:
        self._table: Table = {}
        self._read = 0
        self._found: dict[Hashable, dict[Hashable, list[tuple[int, Ident]]]] = {}

    def like(self, ident: Ident, table: Table) -> Iterator[Ident]:
        """The keys of ``table``, in its order, but for those that are of another object, or another element of it."""
        self._update(table)
        first, second = _steps(ident)
        if first is _ANY:
            yield from table
            return
        numbered = list(self._found.get(_ANY, {}).get(_ANY, ()))
        elements = self._found.get(first, {})
        for step in elements if second is _ANY else (second, _ANY):
            numbered += elements.get(step, ())
        for _, other in sorted(numbered, key=lambda each: each[0]):
            yield other

    def _update(self, table: Table) -> None:
        if table is not self._table or len(table) < self._read:
            self._table, self._read = table, 0
            self._found = defaultdict(lambda: defaultdict(list))
        for number, ident in enumerate(islice(table, self._read, None), self._read):
            first, second = _steps(ident)
            self._found[first][second if first is not _ANY else _ANY].append((number, ident))
        self._read = len(table)


def _steps(ident: Ident) -> tuple[Hashable, Hashable]:
    first = ident[0] if type(ident[0]) is int else _ANY
    return first, ident[1] if len(ident) > 1 and type(ident[1]) is int else _ANY
