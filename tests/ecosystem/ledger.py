"""The ledger: every finding in the sources of real packages, with the verdict of whoever read it.

It is a JSON list with one entry a line, sorted, so that a change of it reads well as a difference.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Iterable

HERE = Path(__file__).resolve().parent
LEDGER = HERE / "ledger.json"
REQUIREMENTS = HERE / "requirements.txt"

VERDICTS = {
    "true": "the code does what the message says, and its authors would want to know",
    "harmless": "the message is right, but nothing comes of it here, or it is meant",
    "false": "the message is wrong: a mistake of jaxlint",
}
UNREAD = "unread"  # nobody has judged it yet; never committed


@dataclass(frozen=True, order=True)
class Entry:
    """A finding. ``path`` is relative to the folder of installed packages."""

    package: str
    version: str
    path: str
    line: int
    code: str
    verdict: str = UNREAD
    reason: str = ""

    @property
    def finding(self) -> tuple[str, str, str, int, str]:
        """What is the same before and after somebody has judged it."""
        return self.package, self.version, self.path, self.line, self.code

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.code} ({self.verdict}{': ' + self.reason if self.reason else ''})"


def read(path: Path = LEDGER) -> list[Entry]:
    return [Entry(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))]


def write(entries: Iterable[Entry], path: Path = LEDGER) -> None:
    path.write_text(dump(entries), encoding="utf-8")


def dump(entries: Iterable[Entry]) -> str:
    lines = [json.dumps(asdict(entry), ensure_ascii=False) for entry in sorted(entries)]
    return "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


def pins() -> dict[str, str]:
    """Version of each package, by the name it has on the index."""
    found = {}
    for line in REQUIREMENTS.read_text(encoding="utf-8").splitlines():
        pin = re.fullmatch(r"([\w.-]+)==([\w.]+)", line.partition("#")[0].strip())
        if pin:
            found[pin[1]] = pin[2]
    return found
