"""The parts of the documentation that a command writes: each stands between two comments that name it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from jaxlint.verify import proven, releases

MIGRATIONS = Path(__file__).resolve().parents[2] / "docs" / "migrations.md"
VERIFICATION = MIGRATIONS.with_name("verification.md")


def write_moved(rows: list[releases.Moved]) -> None:
    """Bring the table of moved cases up to date; there are no pages where only the package is installed."""
    if MIGRATIONS.exists():
        text = MIGRATIONS.read_text(encoding="utf-8")
        MIGRATIONS.write_text(replaced(text, "moved", moved_part(rows)), encoding="utf-8")


def write_proven(rows: list[dict[str, Any]]) -> None:
    """Bring the table of what was proven up to date, where there are pages."""
    if VERIFICATION.exists():
        text = VERIFICATION.read_text(encoding="utf-8")
        VERIFICATION.write_text(replaced(text, "proven", proven.markdown(rows)), encoding="utf-8")


def moved_part(rows: list[releases.Moved]) -> str:
    same = sum(row.ran and bool(row.same) and all(row.same.values()) for row in rows)
    return f"{same} of {len(rows)} cases give the values of the old code.\n\n{releases.markdown(rows)}"


def part(text: str, name: str) -> str:
    """What stands in a page between ``<!-- name -->`` and ``<!-- end of name -->``."""
    return _found(text, name).group(2)


def replaced(text: str, name: str, content: str) -> str:
    found = _found(text, name)
    return f"{text[: found.start(2)]}{content}{text[found.end(2) :]}"


def _found(text: str, name: str) -> re.Match[str]:
    found = re.search(rf"(<!-- {name} -->\n)(.*?)(?=<!-- end of {name} -->)", text, re.DOTALL)
    if found is None:
        raise ValueError(f"the page has no part `<!-- {name} -->` with its end `<!-- end of {name} -->`")
    return found
