"""SARIF 2.1.0: GitHub code scanning shows it beside the code, and viewers in editors walk through the reasons."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO
from urllib.parse import quote

from jaxlint import __version__
from jaxlint.diagnostics.fingerprint import fingerprints
from jaxlint.hazards.registry import find
from jaxlint.hazards.rule import Rule
from jaxlint.report import FAILURES, Report, links
from jaxlint.report.text import relative_path, slashed, visible
from jaxlint.source.diagnostic import Applicability, Category, Diagnostic, Fix, Related
from jaxlint.source.text import Position

if TYPE_CHECKING:
    from jaxlint.source.text import Source

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"  # the name that GitHub and the viewers give the root of the checkout

AROUND = 2  # lines of context on either side of a finding

FINGERPRINT = "ruleAndLine/v2"  # where the file is, its location says
SHARD = "jaxlintShard"  # the property of a run that has the record of a shard

_LEVELS = {Category.FAILS: "error", Category.WRONG: "error", Category.SLOW: "warning", Category.STYLE: "note"}
_SEVERITIES = {"error": "error", "warning": "warning", "note": "recommendation"}  # in GitHub's words
_LINK = re.compile(r"(?<!\\)\[(?=[^\]]*\]\()")
_SECTION = re.compile(r"^## What it does\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def write(report: Report, stream: TextIO) -> None:
    # ASCII only: whatever the encoding of the stream is, and whatever the text holds, it can be written.
    json.dump(log(report), stream, indent=2)
    stream.write("\n")


def log(report: Report) -> dict[str, Any]:
    """The whole report as plain data; equal reports from one folder are equal."""
    diagnostics = report.diagnostics
    codes = sorted({each.code for each in diagnostics})
    paths = sorted({path for each in diagnostics for path in _paths(each)})
    files = {path: index for index, path in enumerate(paths)}
    marks = fingerprints(diagnostics, report.sources)
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "jaxlint",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(find(code)) for code in codes],
                    }
                },
                "invocations": [{"executionSuccessful": not any(each.code in FAILURES for each in diagnostics)}],
                "originalUriBaseIds": {ROOT: {"uri": _folder()}},
                "columnKind": "unicodeCodePoints",
                "newlineSequences": ["\r\n", "\n", "\r"],
                "artifacts": [
                    {"location": _location(path), **({"sourceLanguage": "python"} if path.endswith(".py") else {})}
                    for path in files
                ],
                "results": [
                    _result(each, report, codes.index(each.code), files, mark) for each, mark in zip(diagnostics, marks)
                ],
                **({} if report.shard is None else {"properties": {SHARD: report.shard}}),
            }
        ],
    }


def _paths(each: Diagnostic) -> Iterator[str]:
    """The files that a finding speaks of."""
    yield each.filename
    yield from (step.filename for step in each.related)
    if each.shown_fix is not None:
        yield each.shown_fix.filename


def _rule(rule: Rule) -> dict[str, Any]:
    level = _LEVELS[rule.category]
    page = rule.docs or rule.summary
    about = _SECTION.search(page)
    entry: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": " ".join((about[1] if about else rule.summary).split())},
        "help": {"text": page, "markdown": f"# {rule.code} {rule.name}\n\n{page}"},
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": [rule.family, rule.category.value],
            "precision": "very-high",
            "problem.severity": _SEVERITIES[level],
        },
    }
    address = links.page(rule.code, rule.name) or rule.reference
    if address:  # the page itself is in `help`
        entry["helpUri"] = address
    return entry


def _result(each: Diagnostic, report: Report, rule: int, files: dict[str, int], mark: str) -> dict[str, Any]:
    message = each.message if not each.help else f"{each.message}\n{each.help}"
    entry: dict[str, Any] = {
        "ruleId": each.code,
        "ruleIndex": rule,
        "level": _LEVELS[each.category],
        "message": _message(message),
        "locations": [_with_code(_place(each.filename, each.start, each.end, files, report), each, report)],
        "partialFingerprints": {FINGERPRINT: mark},
        "properties": {"basis": each.basis, **({"convention": each.convention} if each.convention else {})},
    }
    if each.related:
        entry["relatedLocations"] = [
            {"id": number, **_step(step, files, report)} for number, step in enumerate(each.related, 1)
        ]
        entry["codeFlows"] = [{"threadFlows": [{"locations": _flow(each, files, report)}]}]
    shown = each.shown_fix
    source = None if shown is None else report.source(shown.filename)
    if shown is not None and shown.fix.applicability is not Applicability.DISPLAY and source and _is_text(source):
        entry["fixes"] = [_fix(shown.fix, shown.filename, source.position, files)]
    return entry


def _is_text(source: Source) -> bool:
    """Whether rows and columns of the text are those of the file, which they are not in a notebook."""
    return source.place(Position(1, 1)).cell is None


def _flow(each: Diagnostic, files: dict[str, int], report: Report) -> list[dict[str, Any]]:
    """The chain of reasons as it is run: from the transform to the value, and on to the finding."""
    last = {**_place(each.filename, each.start, each.end, files, report), "message": _message(each.message)}
    steps = [*(_step(step, files, report) for step in reversed(each.related)), last]
    return [{"location": step, "executionOrder": number} for number, step in enumerate(steps, 1)]


def _step(step: Related, files: dict[str, int], report: Report) -> dict[str, Any]:
    return {**_place(step.filename, step.start, step.end, files, report), "message": _message(step.message)}


def _fix(fix: Fix, filename: str, position: Callable[[int], Position], files: dict[str, int]) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(position(edit.start), position(edit.end)), "insertedContent": {"text": edit.content}}
        for edit in fix.edits
    ]
    return {
        "description": _message(f"{fix.message} ({fix.applicability.value})"),
        "artifactChanges": [{"artifactLocation": _artifact(filename, files), "replacements": replacements}],
        "properties": {"applicability": fix.applicability.value},
    }


def _place(filename: str, start: Position, end: Position, files: dict[str, int], report: Report) -> dict[str, Any]:
    cell, _ = report.place(filename, start)
    region = _region(start, end)
    if cell is not None:  # the lines of JSON that hold the code
        region = {name: report.file_row(filename, at.row) for name, at in (("startLine", start), ("endLine", end))}
    place: dict[str, Any] = {"physicalLocation": {"artifactLocation": _artifact(filename, files), "region": region}}
    return place if cell is None else {**place, "logicalLocations": [{"name": f"cell {cell}", "kind": "module"}]}


def _with_code(place: dict[str, Any], each: Diagnostic, report: Report) -> dict[str, Any]:
    """The place with the text that stands there and around it, for viewers that do not have the file."""
    source = report.sources.get(each.filename)
    if source is None or not _is_text(source):
        return place
    physical = place["physicalLocation"]
    count = source.text.count("\n") + 1
    start, end = min(source.offset(each.start), len(source.text)), min(source.offset(each.end), len(source.text))
    first, last = max(1, each.start.row - AROUND), min(count, each.end.row + AROUND)
    lines = [source.line(row) for row in range(first, last + 1)]
    region = {**physical["region"], "snippet": {"text": source.text[start:end]}}
    around = {"startLine": first, "endLine": last, "snippet": {"text": "\n".join(lines)}}
    return {**place, "physicalLocation": {**physical, "region": region, "contextRegion": around}}


def _region(start: Position, end: Position) -> dict[str, int]:
    return {"startLine": start.row, "startColumn": start.column, "endLine": end.row, "endColumn": end.column}


def _artifact(filename: str, files: dict[str, int]) -> dict[str, Any]:
    return {**_location(filename), "index": files[filename]}


def _location(filename: str) -> dict[str, str]:
    """The address of a file: relative where it lies below the working directory, else from the root."""
    inside = filename if filename == "-" else relative_path(filename)
    if inside is None:
        return {"uri": f"file://{_encoded(os.path.abspath(filename))}"}
    return {"uri": _encoded(inside), "uriBaseId": ROOT}


def _folder() -> str:
    return f"file://{_encoded(os.getcwd()).rstrip('/')}/"


def _encoded(path: str) -> str:
    path = slashed(path)
    if re.match(r"[A-Za-z]:/", path):  # a drive of Windows
        path = f"/{path}"
    return quote(os.fsencode(path), safe="/")


def _message(text: str) -> dict[str, str]:
    # `a[0](x)` would be read as a link.
    return {"text": "\n".join(_LINK.sub(r"\\[", visible(line)) for line in text.split("\n"))}
