"""A JSON array in the shape Ruff gives its own, so that what reads Ruff's reads this."""

from __future__ import annotations

import json
import os
from typing import Any, Optional, TextIO

from jaxlint.diagnostic import Diagnostic, Fix, Position
from jaxlint.report import Report


def write(report: Report, stream: TextIO) -> None:
    # ASCII only: whatever the encoding of the stream is, and whatever the text holds, it can be written.
    json.dump([entry(diagnostic, report) for diagnostic in report.diagnostics], stream, indent=2)
    stream.write("\n")


def entry(diagnostic: Diagnostic, report: Report) -> dict[str, Any]:
    return {
        "cell": diagnostic.cell,
        "code": diagnostic.code,
        "name": diagnostic.name,
        "message": diagnostic.message,
        "filename": _filename(diagnostic.filename),
        "location": _location(diagnostic.start),
        "end_location": _location(diagnostic.end),
        "noqa_row": diagnostic.noqa_row,
        "fix": _fix(diagnostic.fix, diagnostic, report),
        "related": [
            {
                "message": step.message,
                "filename": _filename(step.filename),
                "location": _location(step.start),
                "end_location": _location(step.end),
            }
            for step in diagnostic.related
        ],
        "url": diagnostic.url,
    }


def _fix(fix: Optional[Fix], diagnostic: Diagnostic, report: Report) -> Optional[dict[str, Any]]:
    if fix is None:
        return None
    source = report.sources[diagnostic.filename]
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "edits": [
            {
                "content": edit.content,
                "location": _location(source.position(edit.start)),
                "end_location": _location(source.position(edit.end)),
            }
            for edit in fix.edits
        ],
    }


def _filename(filename: str) -> str:
    return filename if filename == "-" else os.path.abspath(filename)


def _location(position: Position) -> dict[str, int]:
    return {"row": position.row, "column": position.column}
