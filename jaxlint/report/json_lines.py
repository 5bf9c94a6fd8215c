"""One JSON object a line, as ``json`` has them: what reads line by line need not wait for the end."""

from __future__ import annotations

import json
from typing import TextIO

from jaxlint.report import Report
from jaxlint.report.json import entry


def write(report: Report, stream: TextIO) -> None:
    for diagnostic in report.diagnostics:
        stream.write(json.dumps(entry(diagnostic, report), separators=(",", ":")) + "\n")
