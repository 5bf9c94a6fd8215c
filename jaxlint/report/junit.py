"""JUnit's XML, which most systems that run tests can show: a suite for each file, a case for each finding."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml
from itertools import groupby
from typing import TextIO

from jaxlint.report import Report
from jaxlint.report.text import shown_path, slashed, visible
from jaxlint.source.diagnostic import Diagnostic

_ERRORS = ("JAX900", "JAX902", "JAX903", "JAX904")  # nothing was found out about the file

# What no XML file may hold, however it is written, and `visible` leaves alone.
_NOT_XML = re.compile("[\ufffe\uffff]")


def write(report: Report, stream: TextIO) -> None:
    root = xml.Element("testsuites", name="jaxlint")
    for filename, group in groupby(report.diagnostics, key=lambda diagnostic: diagnostic.filename):
        found = list(group)
        suite = _suite(root, slashed(_text(shown_path(filename))), found)
        for each in found:
            _case(suite, each, report)
    if not report.diagnostics:
        # Some readers take a report without a case for a run that has failed.
        xml.SubElement(_suite(root, "jaxlint", []), "testcase", name="no findings", classname="jaxlint")
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    xml.indent(root)
    # ASCII with references: whatever the encoding of the stream is, the text is what the first line says.
    stream.write(xml.tostring(root, encoding="us-ascii", xml_declaration=True).decode("ascii") + "\n")


def _suite(root: xml.Element, name: str, found: list[Diagnostic]) -> xml.Element:
    errors = sum(each.code in _ERRORS for each in found)
    return xml.SubElement(
        root, "testsuite", name=name, tests=str(len(found) or 1), failures=str(len(found) - errors), errors=str(errors),
    )  # fmt: skip


def _case(suite: xml.Element, each: Diagnostic, report: Report) -> None:
    path = suite.get("name", "")
    place = slashed(_text(report.address(each.filename, each.start))).removeprefix(f"{path}:")
    case = xml.SubElement(
        suite,
        "testcase",
        name=f"{each.code} {each.name} ({place})",
        classname=path,
        file=path,
        line=str(report.file_row(each.filename, each.start.row)),
    )
    message = _text(each.message)
    kind = "error" if each.code in _ERRORS else "failure"
    body = xml.SubElement(case, kind, type=each.code, message=message)
    lines = [f"{path}:{place}: {each.code} {each.name}: {message}"]
    for step in each.related:
        address = slashed(_text(report.address(step.filename, step.start))).rpartition(":")[0]
        lines.append(f"why: {_text(step.message)} ({address})")
    if each.help:
        lines.append(f"help: {_text(each.help)}")
    body.text = "\n".join(lines)


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", visible(text))
