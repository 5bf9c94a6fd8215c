"""One JSON object a line, as ``json`` has them: what reads line by line need not wait for the end."""

from __future__ import annotations

import json
from typing import TextIO

from jaxlint.report import Report
from jaxlint.report.json import SHARD, entry


def write(report: Report, stream: TextIO) -> None:
    if report.shard is not None:
        stream.write(json.dumps({SHARD: report.shard}, separators=(",", ":")) + "\n")
    stream.writelines(
        json.dumps(entry(diagnostic, report), separators=(",", ":")) + "\n" for diagnostic in report.diagnostics
    )
