"""One line a diagnostic, as compilers print it."""

from __future__ import annotations

from typing import TextIO

from jaxlint.diagnostic import Applicability, Diagnostic
from jaxlint.report import Report, summary
from jaxlint.report.text import shown_path, visible


def write(report: Report, stream: TextIO) -> None:
    for diagnostic in report.diagnostics:
        stream.write(line(diagnostic, report.unsafe_fixes) + "\n")
    stream.write(summary(report) + "\n")


def line(diagnostic: Diagnostic, unsafe_fixes: bool) -> str:
    """``path:row:column: CODE [*] message``; the star says that ``--fix`` would mend it."""
    cell = f"cell {diagnostic.cell}:" if diagnostic.cell is not None else ""
    where = f"{shown_path(diagnostic.filename)}:{cell}{diagnostic.start.row}:{diagnostic.start.column}"
    star = "[*] " if is_applied(diagnostic, unsafe_fixes) else ""
    return f"{where}: {diagnostic.code} {star}{visible(diagnostic.message)}"


def is_applied(diagnostic: Diagnostic, unsafe_fixes: bool) -> bool:
    """Whether ``--fix`` (with ``--unsafe-fixes``, if given) would mend it."""
    if diagnostic.fix is None:
        return False
    level = diagnostic.fix.applicability
    return level is Applicability.SAFE or (unsafe_fixes and level is Applicability.UNSAFE)
