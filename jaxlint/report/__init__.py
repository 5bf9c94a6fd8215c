"""Reports: one module a format, each with ``write(report, stream)``."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from jaxlint.configuration.options import OUTPUT_FORMATS
from jaxlint.report.text import counted, shown_path
from jaxlint.source.text import Place, Position

if TYPE_CHECKING:
    from jaxlint.source.diagnostic import Diagnostic
    from jaxlint.source.text import Source


class Report(NamedTuple):
    """What a run has to say, whatever the format.

    ``sources`` has the text of each file that has a diagnostic, where the file could be read.
    ``fixed`` counts the findings that were mended before the diagnostics were taken; with ``planned`` they
    were not, and are only said to be mendable. ``shard`` is the record of a run that is one shard of several, which
    formats that are data carry along. ``incomplete``: there was something that could not be read, or written.
    ``isolated``: no configuration file counts.
    ``silenced`` counts the findings that comments silence, ``old`` those that are left out because they are not new, and
    ``unfixed`` those that are left out because only fixes are asked for. ``quiet``: there is no closing line.
    """

    diagnostics: Sequence[Diagnostic]
    sources: Mapping[str, Source] = {}
    fixed: int = 0
    unsafe_fixes: bool = False
    planned: bool = False
    shard: Mapping[str, Any] | None = None
    incomplete: bool = False
    isolated: bool = False
    silenced: int = 0
    old: int = 0
    unfixed: int | None = None
    quiet: bool = False

    def source(self, filename: str) -> Source | None:
        """The text of a file, also of one that has no diagnostic; None where it cannot be read."""
        from jaxlint.source.reading import read_source  # a clean run does without
        from jaxlint.source.text import SourceError

        known = self.sources.get(filename)
        if known is not None:
            return known
        try:
            return read_source(filename)
        except (OSError, SourceError):
            return None

    def place(self, filename: str, position: Position) -> Place:
        """Where a position is for a person, which in a notebook is in one of its cells."""
        source = self.sources.get(filename)
        return Place(None, position) if source is None else source.place(position)

    def address(self, filename: str, position: Position) -> str:
        """``train.py:3:5``, or ``train.ipynb:cell 2:3:5``."""
        cell, at = self.place(filename, position)
        inside = "" if cell is None else f"cell {cell}:"
        return f"{shown_path(filename)}:{inside}{at.row}:{at.column}"

    def file_row(self, filename: str, row: int) -> int:
        """The row of the file on disk in which a row of its text stands."""
        source = self.sources.get(filename)
        return row if source is None else source.file_row(row)


FAILURES = ("JAX902", "JAX903")  # the tool could not do its work
FOR_PEOPLE = ("full", "concise", "grouped")


def write(format: str, report: Report, stream: TextIO) -> None:
    """Write ``report`` to ``stream`` in one of OUTPUT_FORMATS."""
    if format not in OUTPUT_FORMATS:
        raise ValueError(f"{format!r} is none of {', '.join(OUTPUT_FORMATS)}")
    if format in FOR_PEOPLE and not report.diagnostics:
        stream.write(closing(report))  # in each of them; and none of what draws findings is loaded
        return
    module = importlib.import_module(f"jaxlint.report.{format.replace('-', '_')}")
    module.write(report, stream)


def summary(report: Report) -> str:
    """The result in a line: how many findings, what can be done about them without an editor, and how many are left out."""
    old = f"{counted(report.old, 'finding')} {_is(report.old)} left out as not new." if report.old else ""
    return " ".join(filter(None, [_findings(report), old, silenced(report)]))


def closing(report: Report) -> str:
    """The line that ends a report for people; empty where it is to be quiet."""
    return "" if report.quiet else f"{summary(report)}\n"


def silenced(report: Report) -> str:
    """How many findings comments silence; empty where they silence none."""
    if not report.silenced:
        return ""
    return f"{counted(report.silenced, 'finding')} {_is(report.silenced)} silenced by comments."


def _findings(report: Report) -> str:
    remaining = len(report.diagnostics)
    if report.unfixed is not None and not remaining:
        what = "Would fix" if report.planned else "Fixed"
        done = f"{what} {counted(report.fixed, 'error')}" if report.fixed else "No fixes to apply"
        return f"{done}; {report.unfixed} left, which --fix-only does not report." if report.unfixed else f"{done}."
    if report.planned and not report.fixed:
        report = report._replace(planned=False)
        if not remaining:
            return f"No fixes to show. {_findings(report)}" if report.incomplete else "No fixes to show."
        failed = report.incomplete or any(each.code in FAILURES for each in report.diagnostics)
        return f"No fixes to show. {_findings(report)}{'' if failed else ' Without a change, --diff exits with 0.'}"
    if not remaining and not report.fixed:
        return "No findings, but not everything could be done." if report.incomplete else "All checks passed."
    found = counted(remaining + report.fixed, "error")
    if report.planned and report.fixed:
        return f"Would fix {counted(report.fixed, 'error')}" + (
            f" of {remaining + report.fixed}." if remaining else "."
        )
    text = f"Found {found} ({report.fixed} fixed, {remaining} left)." if report.fixed else f"Found {found}."
    from jaxlint.source.diagnostic import Applicability  # a clean run does without

    levels = [shown.fix.applicability for each in report.diagnostics if (shown := each.shown_fix) is not None]
    safe, unsafe = levels.count(Applicability.SAFE), levels.count(Applicability.UNSAFE)
    if report.unsafe_fixes and safe + unsafe:
        text += f" {_available(safe + unsafe)} with --fix --unsafe-fixes."
    elif safe and unsafe:
        text += f" {_available(safe)} with --fix, {unsafe} more with --unsafe-fixes."
    elif safe:
        text += f" {_available(safe)} with --fix."
    elif unsafe:
        text += f" {_available(unsafe)} with --fix --unsafe-fixes."
    return text


def _available(number: int) -> str:
    """Fixes, and not findings that they mend: nothing has tried them yet."""
    return "1 fix available" if number == 1 else f"{number} fixes available"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
