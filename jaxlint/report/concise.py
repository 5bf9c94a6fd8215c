"""One line a diagnostic, as compilers print it."""

from __future__ import annotations

from typing import TextIO

from jaxlint.report import Report, closing
from jaxlint.report.text import headline
from jaxlint.source.diagnostic import Applicability, Diagnostic


def write(report: Report, stream: TextIO) -> None:
    stream.writelines(line(diagnostic, report) + "\n" for diagnostic in report.diagnostics)
    stream.write(closing(report))


def line(diagnostic: Diagnostic, report: Report) -> str:
    """``path:row:column: CODE name: [*] message``; the star says that ``--fix`` would fix it."""
    star = "[*] " if is_applied(diagnostic, report.unsafe_fixes) else ""
    return f"{report.address(diagnostic.filename, diagnostic.start)}: {headline(diagnostic, star)}"


def is_applied(diagnostic: Diagnostic, unsafe_fixes: bool) -> bool:
    """Whether ``--fix`` (with ``--unsafe-fixes``, if given) would mend it."""
    if diagnostic.shown_fix is None:
        return False
    level = diagnostic.shown_fix.fix.applicability
    return level is Applicability.SAFE or (unsafe_fixes and level is Applicability.UNSAFE)
