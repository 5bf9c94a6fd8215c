"""Workflow commands: GitHub shows each diagnostic beside the line it is about."""

from __future__ import annotations

from typing import TextIO

from jaxlint.report import Report
from jaxlint.report.text import headline, shown_path, slashed, visible
from jaxlint.source.diagnostic import Category, Diagnostic

_LEVELS = {Category.FAILS: "error", Category.WRONG: "error", Category.SLOW: "warning", Category.STYLE: "notice"}


def write(report: Report, stream: TextIO) -> None:
    stream.writelines(command(diagnostic, report) + "\n" for diagnostic in report.diagnostics)


def command(diagnostic: Diagnostic, report: Report) -> str:
    path = slashed(shown_path(diagnostic.filename))
    properties = {
        "title": f"jaxlint ({diagnostic.code} {diagnostic.name})",
        "file": path,
        "line": report.file_row(diagnostic.filename, diagnostic.start.row),
        "col": diagnostic.start.column,
        "endLine": report.file_row(diagnostic.filename, diagnostic.end.row),
        "endColumn": diagnostic.end.column,
    }
    if report.place(diagnostic.filename, diagnostic.start).cell is not None:
        del properties["col"], properties["endColumn"]  # of a cell, not of the line of JSON that holds it
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    address = slashed(report.address(diagnostic.filename, diagnostic.start))
    body = f"{address}: {headline(diagnostic)}"
    if diagnostic.help:
        body += f"\n{visible(diagnostic.help)}"
    return f"::{_LEVELS[diagnostic.category]} {listed}::{_data(body)}"


def _data(text: str) -> str:
    # A raw line break would end the command, and the next line could be one of the file's own making.
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
