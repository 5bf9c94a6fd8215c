"""One page that needs nothing else: the findings by file and by rule, and the source with its traced values shaded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import escape
from importlib import resources
from typing import TextIO

from jaxlint import __version__
from jaxlint.report import Report, summary
from jaxlint.report.full import beside, changes
from jaxlint.report.text import shown_path, slashed, visible
from jaxlint.source.diagnostic import Applicability, Category, Diagnostic
from jaxlint.source.text import Position, Source, SourceError

MOST_SHADED = 400  # files whose source is analysed once more to shade it; a longer report goes without
_HARM = {Category.FAILS: "fails", Category.WRONG: "wrong", Category.SLOW: "slow", Category.STYLE: "style"}
_SIGNS = {"-": "gone", "+": "new", " ": "kept"}
_LEVELS = {Applicability.SAFE: "safe fix", Applicability.UNSAFE: "unsafe fix", Applicability.DISPLAY: "suggestion"}
_NAME = re.compile(r"\w+\Z")


def write(report: Report, stream: TextIO) -> None:
    by_file: dict[str, list[Diagnostic]] = {}
    for each in report.diagnostics:
        by_file.setdefault(each.filename, []).append(each)
    parts = [_file(name, by_file[name], report, len(by_file) <= MOST_SHADED) for name in sorted(by_file)]
    page = _template("page.html")
    for slot, content in {
        "style": _template("page.css"),
        "script": _template("page.js"),
        "version": escape(__version__),
        "summary": _text(summary(report)),
        "filters": _filters(report),
        "files": "\n".join(parts),
    }.items():
        page = page.replace(f"<!-- {slot} -->", content, 1)
    # References stand for what is not ASCII, so that the encoding of the stream does not matter.
    stream.write(page.encode("ascii", "xmlcharrefreplace").decode("ascii"))


def _template(name: str) -> str:
    return resources.files("jaxlint.report").joinpath("page", name).read_text(encoding="ascii")


def _text(text: str) -> str:
    return escape(visible(text))


def _code(text: str) -> str:
    """Text in which what stands between backquotes is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", _text(text))


def _filters(report: Report) -> str:
    rules = Counter((each.code, each.name) for each in report.diagnostics)
    harms = Counter(_HARM[each.category] for each in report.diagnostics)
    buttons = [
        f'<button data-key="harm" data-value="{harm}" class="{harm}">{harm} <b>{count}</b></button>'
        for harm, count in sorted(harms.items())
    ]
    buttons += [
        f'<button data-key="code" data-value="{code}">{code} {_text(name)} <b>{count}</b></button>'
        for (code, name), count in sorted(rules.items())
    ]
    return "\n".join(buttons)


def _file(name: str, found: list[Diagnostic], report: Report, shaded: bool) -> str:
    source = report.sources.get(name)
    shown = _text(slashed(shown_path(name)))
    findings = "\n".join(_finding(each, report, source) for each in found)
    callers = sorted({step.filename for each in found for step in each.related} - {name})
    roots = [report.source(caller) for caller in callers] if shaded else []
    called = [root for root in roots if root is not None]
    listing = _listing(source, found, called, shaded, report.isolated) if source is not None else ""
    if listing:
        listing = f"<details><summary>Source, traced values shaded</summary><pre><div>{listing}</div></pre></details>"
    return f'<section class="file"><h2>{shown} <b>{len(found)}</b></h2>\n{findings}\n{listing}</section>'


def _finding(each: Diagnostic, report: Report, source: Source | None) -> str:
    place = report.address(each.filename, each.start)[len(shown_path(each.filename)) + 1 :]
    lines = [
        f'<article data-code="{each.code}" data-harm="{_HARM[each.category]}">',
        f'<h3><span class="code {_HARM[each.category]}">{each.code}</span> {_code(each.message)}'
        f' <span class="place">{_text(place)}</span></h3>',
    ]
    if source is not None:
        lines.append(f"<pre>{_frame(each, source)}</pre>")
    if each.related:
        steps = "".join(
            f'<li>{_code(step.message)} <span class="place">{_text(beside(step, each, report))}</span></li>'
            for step in reversed(each.related)  # as it is run: from the transform to the finding
        )
        lines.append(f"<ol>{steps}</ol>")
    if each.help:
        lines.append(f"<p>{_code(each.help)}</p>")
    if (shown := each.shown_fix) is not None and (edited := report.source(shown.filename)) is not None:
        changed = "\n".join(
            f'<span class="{_SIGNS[sign]}">{sign} {_text(line)}</span>'
            for _, sign, line in changes(edited.text, shown.fix.edits)
        )
        where = "" if shown.filename == each.filename else f" ({_text(report.address(shown.filename, shown.start))})"
        lines.append(
            f'<p class="fix"><b>{_LEVELS[shown.fix.applicability]}</b> {_code(shown.fix.message)}{where}</p><pre><div>{changed}</div></pre>'
        )
    lines.append("</article>")
    return "\n".join(lines)


def _frame(each: Diagnostic, source: Source) -> str:
    """The lines of the finding with it marked, between its neighbours."""
    first, last = each.start.row, min(each.end.row, each.start.row + 3)
    rows = []
    for row in range(max(1, first - 1), last + 2):
        line = source.line(row)
        number = source.place(Position(row, 1)).position.row
        if row == first:
            end = each.end.column - 1 if each.end.row == row else len(line)
            start = each.start.column - 1
            text = f"{_text(line[:start])}<mark>{_text(line[start:end])}</mark>{_text(line[end:])}"
        elif line or first < row <= last:
            text = _text(line)
        else:
            continue
        rows.append(f'<span class="row">{number:>4}</span> {text}')
    return "\n".join(rows)


def _listing(source: Source, found: list[Diagnostic], roots: list[Source], shaded: bool, isolated: bool) -> str:
    """The whole source with its traced names shaded, and the rows of findings marked."""
    spans = dict(_traced(source, roots, isolated)) if shaded else {}
    rows = {each.start.row for each in found}
    lines, offset = [], 0
    for number, line in enumerate(source.text.splitlines(keepends=True), 1):
        bare = line.rstrip("\r\n")
        parts, at = [], 0
        for start, (end, why) in sorted((s - offset, v) for s, v in spans.items() if offset <= s < offset + len(bare)):
            if start >= at:
                parts.append(
                    f'{_text(bare[at:start])}<i title="{escape(why, quote=True)}">{_text(bare[start : end - offset])}</i>'
                )
                at = end - offset
        parts.append(_text(bare[at:]))
        mark = ' class="hit"' if number in rows else ""
        lines.append(f'<span{mark}><span class="row">{number:>4}</span> {"".join(parts)}</span>')
        offset += len(line)
    return "\n".join(lines)


def _traced(source: Source, roots: list[Source], isolated: bool) -> Iterator[tuple[int, tuple[int, str]]]:
    """Start, end and reason of each name that stands for a traced value, be it where one of the roots calls the code."""
    from jaxlint.configuration.config import Configs
    from jaxlint.run.reveal import Revealed

    try:
        config = Configs({"plugins": []}, isolated=isolated).for_file(source.filename)  # no rule runs
        revealed = Revealed(source, roots, config.project, config.conventions)
    except SourceError:
        return
    for each in revealed.expressions:
        if each.value.cls is not None and _NAME.match(source.text[each.start : each.end]):
            yield (
                each.start,
                (each.end, visible("; ".join([f"{each.value.kind} ({each.value.cls})", *revealed.why(each)]))),
            )
