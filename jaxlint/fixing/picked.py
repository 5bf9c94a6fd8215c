"""The fixes of single lines: what ``jaxlint check --fix FILE:LINE[:CODE]`` names in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jaxlint.fixing.changed_lines import ChangedLines
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.text import Source


class Place(NamedTuple):
    """A line of a file as it was before any fix, and the codes that are meant there; None for all."""

    row: int
    codes: frozenset[str] | None = None


def of_places(
    places: Sequence[Place], found: Sequence[Diagnostic], original: Source, current: Source
) -> list[Diagnostic]:
    """Those of the findings in ``current`` that stand at one of the places in ``original``, of which fixes have made it.

    A fix that mends several findings is theirs together.
    """
    lines = None if current is original else ChangedLines.between(original, current)
    chosen = [each for each in found if any(_is_at(place, each, lines) for place in places)]
    shared = {each.fix.edits for each in chosen if each.fix}
    return [each for each in found if each in chosen or (each.fix and each.fix.edits and each.fix.edits in shared)]


def _is_at(place: Place, found: Diagnostic, lines: ChangedLines | None) -> bool:
    if place.codes is not None and found.code not in place.codes:
        return False
    if lines is None:
        return found.start.row == place.row
    row, block = lines.before(found.start.row)
    return row == place.row if row is not None else block is not None and lines.changed_from(place.row) == block
