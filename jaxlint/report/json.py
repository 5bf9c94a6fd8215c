"""A JSON array in the shape Ruff gives its own, so that what reads Ruff's reads this."""

from __future__ import annotations

import json
import os
from typing import Any, TextIO

from jaxlint.report import Report, links
from jaxlint.source.diagnostic import Applicability, Diagnostic, Related, RemoteFix
from jaxlint.source.text import Position

SHARD = "jaxlint_shard"  # the key of the record of a shard


def write(report: Report, stream: TextIO) -> None:
    dump([entry(diagnostic, report) for diagnostic in report.diagnostics], report, stream)


def dump(entries: list[dict[str, Any]], report: Report, stream: TextIO) -> None:
    """Write an array; of a shard, an object that holds it and the record of the shard."""
    # ASCII only: whatever the encoding of the stream is, and whatever the text holds, it can be written.
    json.dump(entries if report.shard is None else {SHARD: report.shard, "report": entries}, stream, indent=2)
    stream.write("\n")


def entry(diagnostic: Diagnostic, report: Report) -> dict[str, Any]:
    cell, start = report.place(diagnostic.filename, diagnostic.start)
    return {
        "cell": cell,
        "code": diagnostic.code,
        "name": diagnostic.name,
        "message": diagnostic.message,
        "filename": _filename(diagnostic.filename),
        "location": _location(start),
        "end_location": _location(report.place(diagnostic.filename, diagnostic.end).position),
        "noqa_row": _noqa_row(diagnostic, report),
        "fix": _fix(diagnostic.shown_fix, report),
        "related": [_step(step, report) for step in diagnostic.related],
        "url": links.page(diagnostic.code, diagnostic.name) or diagnostic.url,
        "basis": diagnostic.basis,
        "convention": diagnostic.convention or None,
    }


def _step(step: Related, report: Report) -> dict[str, Any]:
    cell, start = report.place(step.filename, step.start)
    return {
        "message": step.message,
        "filename": _filename(step.filename),
        "cell": cell,
        "location": _location(start),
        "end_location": _location(report.place(step.filename, step.end).position),
    }


def _noqa_row(diagnostic: Diagnostic, report: Report) -> int | None:
    row = diagnostic.noqa_row
    return None if row is None else report.place(diagnostic.filename, Position(row, 1)).position.row


def _fix(shown: RemoteFix | None, report: Report) -> dict[str, Any] | None:
    source = None if shown is None else report.source(shown.filename)
    if shown is None or source is None:
        return None
    filename, _, fix = shown
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "changes": None if fix.applicability is Applicability.SAFE else fix.changes or None,
        "edits": [
            {
                "content": edit.content,
                "filename": _filename(filename),
                "cell": source.place(source.position(edit.start)).cell,
                "location": _location(source.place(source.position(edit.start)).position),
                "end_location": _location(source.place(source.position(edit.end)).position),
            }
            for edit in fix.edits
        ],
    }


def _filename(filename: str) -> str:
    return filename if filename == "-" else os.path.abspath(filename)


def _location(position: Position) -> dict[str, int]:
    return {"row": position.row, "column": position.column}
