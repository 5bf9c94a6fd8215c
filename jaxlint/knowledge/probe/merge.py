"""Rows of ``history.json`` and ``signatures.json`` from the walks of all releases of a package."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from jaxlint.knowledge.history import release
from jaxlint.knowledge.probe.walk import NOT_IMPORTED
from jaxlint.source.libraries import MEASURED

# One state of a name in a release.
PRESENT, DEPRECATED, GONE, UNKNOWN = "present", "deprecated", "gone", "unknown"

_VERSION = rf"(?:(?:{'|'.join(MEASURED)})\s+)?(?:version\s+|v\.?\s?)?(\d+\.\d+(?:\.\d+)*)"
_REMOVED_IN = re.compile(rf"\bremoved\s+(?:in|from|as\s+of)\s+{_VERSION}", re.IGNORECASE)
_DEPRECATED_IN = re.compile(rf"\bdeprecated\s+(?:in|since|as\s+of|with)\s+{_VERSION}", re.IGNORECASE)
_LONGEST = 200

Row = dict[str, Any]


class Release:
    """One release: what was walked, or for old ones read from the sources."""

    def __init__(self, walked: Row, *, read: bool = False) -> None:
        self.version: str = walked["version"]
        self.names: dict[str, Row] = walked["names"]
        self.gone: dict[str, str] = walked.get("gone", {})
        self.failed = tuple(walked.get("failed", ()))
        self.options: list[str] = walked.get("options", [])
        self.read = read

    def state(self, name: str) -> str:
        row = self.names.get(name)
        if row is not None:
            return DEPRECATED if "message" in row else PRESENT
        if any(name == module or name.startswith(f"{module}.") for module in self.failed):
            return UNKNOWN
        if self.names.get(name.rpartition(".")[0], {}).get("kind") == "constant":
            return UNKNOWN  # what an object holds is not walked, as the module that it may have been before is
        # Sources do not show a name that is made when the module is imported.
        return GONE


def names(releases: Sequence[Release]) -> dict[str, Row]:
    """A row for each name that is not the same in all releases."""
    every = sorted({name for each in releases for name in each.names})
    rows: dict[str, Row] = {}
    for name in every:
        if name.startswith(NOT_IMPORTED):
            continue
        row = _row(name, releases)
        # What happened to the holder is not said again of all it holds.
        if row is not None and not _says_the_same(row, _holder(name, rows), releases):
            rows[name] = row
    return rows


def _holder(name: str, rows: dict[str, Row]) -> Row:
    """The row of the nearest module or class around a name that has one."""
    while name:
        name = name.rpartition(".")[0]
        if name in rows:
            return rows[name]
    return {}


def _says_the_same(row: Row, holder: Row, releases: Sequence[Release]) -> bool:
    if "removed" not in row and "deprecated" not in row:
        return bool(holder) and row.get("added") == holder.get("added") and "removed" not in holder
    gone, holder_gone = row.get("removed"), holder.get("removed")
    if "message" in row and row["message"] != holder.get("message"):
        return False
    if gone is not None and holder_gone is not None:
        # Of old releases it is enough to know when the module went.
        first = next(each.version for each in releases if not each.read)
        return gone == holder_gone or release(gone) <= release(holder_gone) <= release(first)
    return gone == holder_gone and row.get("deprecated") == holder.get("deprecated")


def _row(name: str, releases: Sequence[Release]) -> Row | None:
    states = [each.state(name) for each in releases]
    for index, state in enumerate(states):
        if state == UNKNOWN:
            states[index] = states[index - 1] if index else next(s for s in states if s != UNKNOWN)
    there = [index for index, state in enumerate(states) if state in (PRESENT, DEPRECATED)]
    first, last = there[0], there[-1]
    if all(releases[index].read for index in there) and len(there) == 1 and first and not releases[first - 1].read:
        return None
    newest = next(releases[index].names[name] for index in reversed(there) if name in releases[index].names)
    row: Row = {"kind": newest["kind"]}
    # What sources do not show may have been there; a name that came back has no single day of birth.
    start = next(index for index, each in enumerate(releases) if not each.read)
    if first > start and last - first + 1 == len(there):
        row["added"] = releases[first].version
    message = releases[last].names.get(name, {}).get("message")
    after = [each.gone[name] for each in releases[last + 1 :] if name in each.gone]
    if last + 1 < len(states):
        message = after[-1] if after else message
        row["removed"] = _exact(_REMOVED_IN, after, releases, last + 1)
    deprecated = last
    while deprecated >= first and states[deprecated] == DEPRECATED:
        deprecated -= 1
    if deprecated < last:
        said = [each.names[name].get("message", "") for each in releases if name in each.names]
        row["deprecated"] = _exact(_DEPRECATED_IN, [*said, *after], releases, deprecated + 1)
    if message is not None and ("removed" in row or "deprecated" in row):
        row["message"] = _shortened(message)
    return row if len(row) > 1 else None


def _exact(said: re.Pattern[str], messages: Sequence[str], releases: Sequence[Release], index: int) -> str:
    """The release that a message names, if the walks do not say otherwise; else the first that shows the change."""
    walked = releases[index].version
    before = releases[index - 1].version if index else "0"
    for message in messages:
        for version in said.findall(message):
            if release(before) < release(version) <= release(walked):
                return str(version)
    return walked


def _shortened(message: str) -> str:
    message = re.sub(
        r"\s*(?:See|For (?:more )?(?:details|information)[^.]*?see) https?://\S+", "", " ".join(message.split())
    )
    if len(message) <= _LONGEST:
        return message.strip()
    cut = message[:_LONGEST]
    stop = max(cut.rfind(". "), cut.rfind("; "))
    return cut[: stop + 1] if stop > 40 else f"{cut.rpartition(' ')[0]} ..."


def options(releases: Sequence[Release]) -> dict[str, Row]:
    """All options of `jax.config`, with when they came and went."""
    walked = [each for each in releases if each.options]
    rows: dict[str, Row] = {}
    for option in sorted({option for each in walked for option in each.options}):
        there = [index for index, each in enumerate(walked) if option in each.options]
        row: Row = {"kind": "option"}
        # Sources do not show all options.
        if there[0] and not walked[there[0] - 1].read:
            row["added"] = walked[there[0]].version
        if there[-1] + 1 < len(walked):
            row["removed"] = walked[there[-1] + 1].version
        rows[option] = row
    return rows


def signatures(releases: Sequence[Release]) -> dict[str, list[list[str | None]]]:
    """The signatures of every function and class, each with the first release that has it."""
    rows: dict[str, list[list[str | None]]] = {}
    walked = [each for each in releases if not each.read]
    for name in sorted({name for each in walked for name, row in each.names.items() if "signature" in row}):
        changes = list(_changes(name, walked))
        if changes:
            rows[name] = changes
    return rows


def _changes(name: str, releases: Sequence[Release]) -> Iterator[list[str | None]]:
    previous: str | None = None
    for each in releases:
        row = each.names.get(name)
        if row is None and each.state(name) == UNKNOWN:
            continue
        spelled = row.get("signature") if row is not None else None
        # Parameters that are private, and a signature that this release does not show, tell nothing.
        if spelled != previous:
            yield [each.version, spelled]
        previous = spelled
