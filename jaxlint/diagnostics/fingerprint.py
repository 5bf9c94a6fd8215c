"""What makes a finding the same one after the lines around it have moved, or its file: its rule and its line."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from jaxlint.source.diagnostic import Diagnostic

if TYPE_CHECKING:
    from jaxlint.source.text import Source


def line_hash(row: int, source: Source | None) -> str:
    """A hash of a line, white space around it left out."""
    return _hash("" if source is None else source.line(row).strip())


def fingerprints(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]) -> list[str]:
    """One for each finding: equal lines of a file are told apart by their order, and those of different files are not."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for diagnostic in diagnostics:
        line = line_hash(diagnostic.start.row, sources.get(diagnostic.filename))
        key = (diagnostic.filename, diagnostic.code, line)
        found.append(fingerprint(diagnostic.code, line, seen[key]))
        seen[key] += 1
    return found


def fingerprint(code: str, line: str, before: int) -> str:
    """Of the finding of a rule on a line of a file, where as many equal ones stand ``before`` it."""
    return _hash("\0".join([code, line, str(before)]), 32)


def told_apart(marks: Iterable[str], paths: Iterable[str]) -> list[str]:
    """The fingerprints of findings, all different: where files have equal ones, the first keeps it, and the path tells of the rest.

    So a file that is renamed keeps those that no other file has.
    """
    found: list[str] = []
    known: set[str] = set()
    for mark, path in zip(marks, paths, strict=True):
        own = _hash(f"{mark}\0{path}", 32) if mark in known else mark
        found.append(own)
        known.add(own)
    return found


def _hash(text: str, length: int = 16) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]
