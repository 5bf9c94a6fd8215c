"""Entries that differ from release to release, as the data files write them.

An entry that is the same in all measured releases stands as it is. Otherwise it has the field ``until``:
a release -> what the entry is up to and with that release. An entry that is a table of fields has the
fields of the newest release beside ``until``, and each older release has only the fields that are other
than in the release after it, with null for a field that it lacks. Any other entry has ``now`` for the
newest release. Where a release lacks the whole entry, ``until`` has null, and ``now`` or the fields are
left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jaxlint.knowledge.history import release

Entry = Any


def at(entry: Entry, version: str | None = None) -> Entry:
    """The entry in a release, by default in the newest that has it; None where the release lacks it."""
    if not isinstance(entry, dict) or "until" not in entry:
        return entry
    found = None
    for last, value in states(entry):
        if version is None and value is not None:
            return value
        if version is not None and last is not None and release(version) > release(last):
            break
        found = value
    return found


def states(entry: Entry) -> Iterator[tuple[str | None, Entry]]:
    """The entry from the newest state to the oldest, each with the last release it is true of."""
    until = entry.get("until") if isinstance(entry, dict) else None
    if until is None:
        yield None, entry
        return
    scalar = "now" in entry or not all(isinstance(value, (dict, type(None))) for value in until.values())
    value = entry.get("now") if scalar else {key: field for key, field in entry.items() if key != "until"} or None
    yield None, value
    for last in sorted(until, key=release, reverse=True):
        value = until[last] if scalar else _changed(value, until[last])
        yield last, value


def _changed(row: dict[str, Any] | None, fields: dict[str, Any] | None) -> dict[str, Any] | None:
    if fields is None:
        return None
    return {key: value for key, value in {**(row or {}), **fields}.items() if value is not None}


def compress(values: Sequence[tuple[str, Entry]]) -> Entry:
    """The inverse of `at`: one entry for the values of all measured releases, oldest first."""
    newest = values[-1][1]
    fields = all(isinstance(value, (dict, type(None))) for _, value in values)
    until: dict[str, Any] = {}
    following = newest
    for version, value in reversed(values):
        if value != following:
            until[version] = _difference(following, value) if fields else value
            following = value
    if not until:
        return newest
    if fields:
        return {**(newest or {}), "until": until}
    return {"until": until} if newest is None else {"now": newest, "until": until}


def _difference(newer: dict[str, Any] | None, older: dict[str, Any] | None) -> dict[str, Any] | None:
    if older is None:
        return None
    newer = newer or {}
    return {key: older.get(key) for key in sorted({*newer, *older}) if older.get(key) != newer.get(key)}
