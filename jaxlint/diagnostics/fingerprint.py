"""What makes a finding the same finding after the lines around it have moved: its path, its rule and its line."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from jaxlint.source.diagnostic import Diagnostic

if TYPE_CHECKING:
    from jaxlint.source.text import Source


def line_hash(row: int, source: Source | None) -> str:
    """A hash of a line, white space around it left out."""
    return _hash("" if source is None else source.line(row).strip())


def fingerprints(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source], path: Callable[[str], str]
) -> list[str]:
    """One for each finding, all different: equal lines of a file are told apart by their order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for diagnostic in diagnostics:
        line = line_hash(diagnostic.start.row, sources.get(diagnostic.filename))
        key = (path(diagnostic.filename), diagnostic.code, line)
        found.append(fingerprint(*key, seen[key]))
        seen[key] += 1
    return found


def fingerprint(path: str, code: str, line: str, before: int) -> str:
    """Of the finding of a rule on a line of a file, where as many equal ones stand ``before`` it."""
    return _hash("\0".join([path, code, line, str(before)]), 32)


def _hash(text: str, length: int = 16) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
