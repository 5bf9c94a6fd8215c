"""Edits from several hands put together."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.source.diagnostic import Edit


def in_order(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits sorted, with all that is put in at one place as one edit, in the order given."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        last = found[-1] if found else None
        if last is not None and (last.start, last.end) == (edit.start, edit.end) and edit.start == edit.end:
            found[-1] = Edit(edit.start, edit.end, last.content + edit.content)
        else:
            found.append(edit)
    return tuple(found)
