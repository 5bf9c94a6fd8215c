"""Which lines of a text that fixes have made are those of the text before them."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.source.text import Source

_LINE_BREAK = re.compile(r"\r\n?|\n")


class ChangedLines:
    """Which lines of a text are those of another one, and which were put in the place of which; rows count from 1."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        first = next((at for at, (one, other) in enumerate(zip(old, new)) if one != other), min(len(old), len(new)))
        most = min(len(old), len(new)) - first
        last = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
        self._rows = {row: row for row in range(1, first + 1)}  # of the new text, to those of the old one
        self._rows.update({len(new) - at: len(old) - at for at in range(last)})
        self._old: dict[int, int] = {}
        self._new: dict[int, int] = {}
        matcher = difflib.SequenceMatcher(
            None, old[first : len(old) - last], new[first : len(new) - last], autojunk=False
        )
        for block, (tag, low, high, start, stop) in enumerate(matcher.get_opcodes()):
            if tag == "equal":
                self._rows.update({first + 1 + start + at: first + 1 + low + at for at in range(high - low)})
            else:
                self._old.update(dict.fromkeys(range(first + 1 + low, first + 1 + high), block))
                self._new.update(dict.fromkeys(range(first + 1 + start, first + 1 + stop), block))

    @classmethod
    def between(cls, before: Source, after: Source) -> ChangedLines:
        return _between(before.text, after.text)

    def before(self, row: int) -> tuple[int | None, int | None]:
        """The row that a line of the new text has in the old one, or the number of the change that has put it there."""
        return self._rows.get(row), self._new.get(row)

    def changed_from(self, row: int) -> int | None:
        """The number of the change that has replaced a line of the old text; None where none has."""
        return self._old.get(row)


@functools.lru_cache(maxsize=4)  # a trial of fixes asks for the same two texts more than once
def _between(old: str, new: str) -> ChangedLines:
    return ChangedLines(_LINE_BREAK.split(old), _LINE_BREAK.split(new))
