"""GitLab's code quality report: GitLab compares those of two branches by fingerprint and shows what is new."""

from __future__ import annotations

import json
import os
from typing import TextIO

from jaxlint.diagnostics.fingerprint import fingerprints, told_apart
from jaxlint.report import Report
from jaxlint.report.text import headline, relative_path, slashed
from jaxlint.source.diagnostic import Category

_SEVERITIES = {Category.FAILS: "critical", Category.WRONG: "critical", Category.SLOW: "minor", Category.STYLE: "info"}


def write(report: Report, stream: TextIO) -> None:
    marks = fingerprints(report.diagnostics, report.sources)
    paths = [_path(each.filename) for each in report.diagnostics]
    entries = [
        {
            "description": headline(each),
            "check_name": each.name,
            "fingerprint": mark,
            "severity": _SEVERITIES[each.category],
            "location": {
                "path": _path(each.filename),
                "lines": {
                    name: report.file_row(each.filename, at.row)
                    for name, at in (("begin", each.start), ("end", each.end))
                },
            },
        }
        for each, mark in zip(report.diagnostics, told_apart(marks, paths))
    ]
    json.dump(entries, stream, indent=2)
    stream.write("\n")


def _path(filename: str) -> str:
    """The path from the root of the repository, which a GitLab job knows and which is else the working directory."""
    if filename == "-":
        return filename
    inside = relative_path(filename, os.environ.get("CI_PROJECT_DIR") or None)
    return slashed(inside or os.path.abspath(filename))
