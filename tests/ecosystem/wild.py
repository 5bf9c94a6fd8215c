"""The page docs/found-in-the-wild.md: true findings that the authors of a package would want to hear of.

    python tests/ecosystem/wild.py          writes it

``wild.json`` tells of each what is wrong, why, and what to write instead; where it stands, in which release, and
which rule says so comes from the ledger.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import ledger
import page
from ledger import Entry

from jaxlint.hazards.registry import find

NOTES = ledger.HERE / "wild.json"
PAGE = ledger.HERE.parents[1] / "docs" / "found-in-the-wild.md"

INTRODUCTION = """\
# Found in the wild

Mistakes that jaxlint finds in released packages, worth a report to their authors: what is wrong, why, and what to write
instead. They stand in the version that is named; later ones may have mended them. All findings are counted in
[findings in real code](ecosystem.md). The line of a notebook is that of the file.

{names}
"""


@dataclass(frozen=True)
class Note:
    """What somebody who reports the finding would write. A place is ``package/path:line``."""

    group: str
    places: list[str]
    what: str
    why: str
    instead: str


def read() -> list[Note]:
    return [Note(**each) for each in json.loads(NOTES.read_text(encoding="utf-8"))]


def found(notes: Iterable[Note], entries: Iterable[Entry]) -> dict[str, Entry]:
    """The true finding of each place. Raises KeyError for a place that has none."""
    known = {f"{entry.package}/{entry.path}:{entry.line}": entry for entry in entries if entry.verdict == "true"}
    return {place: known[place] for note in notes for place in note.places}


def text(notes: list[Note], entries: list[Entry]) -> str:
    places = found(notes, entries)
    lines = [INTRODUCTION.format(names=_names(entries))]
    for group, members in groupby(notes, key=lambda note: note.group):
        lines.append(f"## {group}\n")
        for note in members:
            lines.append(_item(note, [places[place] for place in note.places]))
    return "\n".join(lines)


def _item(note: Note, entries: list[Entry]) -> str:
    packages = [
        f"{package} {version}" for package, version in dict.fromkeys((each.package, each.version) for each in entries)
    ]
    where = ", ".join(f"`{entry.path}:{entry.line}`" for entry in entries)
    rules = ", ".join(
        f"[{code}](rules/{code}-{find(code).name}.md)" for code in dict.fromkeys(each.code for each in entries)
    )
    return (
        f"**{', '.join(packages)}** · {where} · {rules}\n\n{note.what} {note.why}\n\n*Instead:* {note.instead}\n\n---\n"
    )


def _names(entries: list[Entry]) -> str:
    """How many uses of names there are that JAX no longer has."""
    gone = [entry for entry in entries if entry.verdict == "true" and entry.code.startswith(page.MIGRATION)]
    packages = Counter(entry.package for entry in gone)
    most = ", ".join(f"{package} ({count})" for package, count in packages.most_common(5))
    return (
        f"Not listed: {len(gone)} uses of names and parameters that JAX or a library on top of it has removed or is about to remove,"
        f" in {len(packages)} packages, most of them in {most}. `jaxlint check --select JAX8 --fix` mends what can be mended."
    )


def write() -> None:
    PAGE.write_text(text(read(), ledger.read()), encoding="utf-8")


if __name__ == "__main__":
    write()
