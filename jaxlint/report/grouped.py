"""The lines of the concise report, under the name of their file."""

from __future__ import annotations

from itertools import groupby
from typing import TextIO

from jaxlint.report import Report, closing
from jaxlint.report.concise import is_applied
from jaxlint.report.text import headline, shown_path


def write(report: Report, stream: TextIO) -> None:
    for filename, group in groupby(report.diagnostics, key=lambda diagnostic: diagnostic.filename):
        found = list(group)
        stream.write(f"{shown_path(filename)}:\n")
        start = len(shown_path(filename)) + 1
        places = [report.address(filename, each.start)[start:] for each in found]
        width = max(map(len, places))
        for place, each in zip(places, found):
            star = "[*] " if is_applied(each, report.unsafe_fixes) else ""
            stream.write(f"  {place:<{width}}  {headline(each, star)}\n")
        stream.write("\n")
    stream.write(closing(report))
