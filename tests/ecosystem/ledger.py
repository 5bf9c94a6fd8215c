"""The ledger: every finding in the sources of real packages, with the verdict of whoever read it.

It is a JSON list with one entry a line, sorted, so that a change of it reads well as a difference.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEDGER = HERE / "ledger.json"
SUMMARY = HERE / "summary.json"  # what the last recorded run read, by package

VERDICTS = {
    "true": "the code does what the message says, and its authors would want to know",
    "harmless": "the message is right, but nothing comes of it here, or it is meant",
    "false": "the message is wrong: a mistake of jaxlint",
}
UNREAD = "unread"  # nobody has judged it yet; never committed


@dataclass(frozen=True, order=True)
class Entry:
    """A finding. ``path`` is relative to the folder of the sdist; ``content`` is a hash of the line."""

    package: str
    version: str
    path: str
    line: int
    code: str
    content: str
    verdict: str = UNREAD
    reason: str = ""

    @property
    def finding(self) -> tuple[str, str, str, str]:
        """What is the same before and after somebody has judged it, and in a release that has not changed the line."""
        return self.package, self.path, self.code, self.content

    def __str__(self) -> str:
        return f"{self.package}: {self.path}:{self.line}: {self.code} ({self.verdict}{': ' + self.reason if self.reason else ''})"


@dataclass(frozen=True)
class Read:
    """What was read of one package."""

    package: str
    version: str
    files: int
    notebooks: int


def content(line: str) -> str:
    """The hash of a line, whatever its indentation."""
    return hashlib.sha256(line.strip().encode()).hexdigest()[:8]


def read(path: Path = LEDGER) -> list[Entry]:
    return [Entry(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))]


def write(entries: Iterable[Entry], path: Path = LEDGER) -> None:
    path.write_text(dump(entries), encoding="utf-8")


def dump(entries: Iterable[Entry]) -> str:
    return _lines(asdict(entry) for entry in sorted(entries))


def read_summary() -> list[Read]:
    return [Read(**each) for each in json.loads(SUMMARY.read_text(encoding="utf-8"))]


def write_summary(summary: Iterable[Read]) -> None:
    SUMMARY.write_text(
        _lines(asdict(each) for each in sorted(summary, key=lambda each: each.package)), encoding="utf-8"
    )


def _lines(rows: Iterable[dict[str, object]]) -> str:
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    return "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


def judged(found: Iterable[Entry], known: Iterable[Entry]) -> list[Entry]:
    """Findings with the verdicts of the known ones; several on one line keep their number."""
    verdicts: dict[tuple[str, str, str, str], list[Entry]] = {}
    for entry in sorted(known):
        verdicts.setdefault(entry.finding, []).append(entry)
    result = []
    for entry in sorted(found):
        if verdicts.get(entry.finding):
            old = verdicts[entry.finding].pop(0)
            entry = Entry(
                entry.package, entry.version, entry.path, entry.line, entry.code, entry.content, old.verdict, old.reason
            )
        result.append(entry)
    return result


def difference(now: Iterable[Entry], before: Iterable[Entry]) -> tuple[list[Entry], list[Entry]]:
    """The findings that are new, and those that are gone."""
    now, before = sorted(now), sorted(before)
    new = Counter(entry.finding for entry in now) - Counter(entry.finding for entry in before)
    gone = Counter(entry.finding for entry in before) - Counter(entry.finding for entry in now)
    return _taken(now, new), _taken(before, gone)


def _taken(entries: list[Entry], counts: Counter[tuple[str, str, str, str]]) -> list[Entry]:
    taken = []
    for entry in reversed(entries):
        if counts[entry.finding]:
            counts[entry.finding] -= 1
            taken.append(entry)
    return taken[::-1]
