"""``--statistics``: how often each rule found something, and where the analysis was cut short."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import TextIO

from jaxlint.report import Report, closing, silenced
from jaxlint.report.concise import is_applied
from jaxlint.report.json import dump
from jaxlint.report.text import shown_path, visible


def write(report: Report, cut_short: Sequence[tuple[str, str]], presumed: int, format: str, stream: TextIO) -> None:
    """Write the counts, most first.

    ``cut_short`` has the file and place of each budget that was reached; ``presumed`` is the number of functions that
    were run by a convention.
    """
    counts = Counter((each.code, each.name) for each in report.diagnostics)
    fixable = Counter(each.code for each in report.diagnostics if is_applied(each, report.unsafe_fixes))
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if format == "json":
        entries = [
            {"code": code, "name": name, "count": count, "fixable": fixable[code]} for (code, name), count in rows
        ]
        dump(entries, report, stream)
    else:
        for (code, name), count in rows:
            star = f"  [*] {fixable[code]} fixable" if fixable[code] else ""
            stream.write(f"{count:>6}  {code}  {name}{star}\n")
        stream.write(closing(report))
    aside = sys.stderr if format == "json" else stream
    if format == "json" and report.silenced:
        aside.write(f"jaxlint: {silenced(report)}\n")
    for filename, place in cut_short:
        aside.write(f"analysis cut short: {shown_path(filename)}: {visible(place)}\n")
    if presumed:
        what = "1 function runs" if presumed == 1 else f"{presumed} functions run"
        aside.write(f"presumed: {what} under a transform by convention (`presume`)\n")
