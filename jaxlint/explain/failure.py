"""A traceback explained: which exception counts, which rule it is a case of, and at which line of the user."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxlint.configuration.config import Configs
from jaxlint.explain.pages import error_data, print_example, print_rules, rules_of
from jaxlint.explain.places import (
    Files,
    Findings,
    Match,
    Place,
    is_users,
    lint,
    match,
    places,
    readable_roots,
    rules_of_line,
)
from jaxlint.explain.quoted import cell_of
from jaxlint.explain.traceback import Frame, Raised
from jaxlint.hazards.registry import find
from jaxlint.hazards.rule import Rule
from jaxlint.knowledge import errors, messages
from jaxlint.knowledge.errors import Error
from jaxlint.report import Report
from jaxlint.report.terminal import console
from jaxlint.report.text import shown_path, visible

if TYPE_CHECKING:
    from rich.console import Console


# What messages of exceptions that are not JAX's own say where a tracer or an array is in it.
_OF_TRACER = re.compile(r"[Tt]racer|traced array|JitTracer|ArrayImpl|\bJAX\b|\bjax\.")


@dataclass(frozen=True)
class Failure:
    """What is known of a traceback."""

    raised: Raised
    error: Error | None
    at: Sequence[Place]
    match: Match | None
    findings: Findings = field(default_factory=Findings)
    files: Files = field(default_factory=Files)
    line: Frame | None = None  # the user's innermost, where no finding is at it and its file cannot be read
    line_rules: Sequence[str] = ()  # codes of the rules that report a line like it
    message_rules: Sequence[str] = ()  # codes of the rules that report code which raises it with such a message

    @property
    def is_explained(self) -> bool:
        return self.match is not None or self.error is not None or bool(self.message_rules)


def explain(chain: Sequence[Raised], configs: Configs) -> Failure:
    """What happened in the code that the exceptions of a text come from, which ``configs`` is asked about."""
    at = _culprit(chain)
    raised, connected = chain[at], _connected(chain, at)
    known = errors.error(raised.name)
    said = messages.rules_of(messages.alike(raised.bare, raised.message))
    codes = [*said, *(rule.code for rule in rules_of(known))]
    for other in connected:  # one cause can have several names: what a callback raises, and what comes of it
        codes += [rule.code for rule in rules_of(errors.error(other.name))]
    files = Files((frame for each in (raised, *connected) for frame in each.frames), readable_roots(configs))
    found_at = places(raised, connected, files)
    findings = lint(list(dict.fromkeys(place.filename for place in found_at)), codes, files, configs)
    certain = known is not None and not known.says_little
    found = match(found_at, codes, findings, certain, files)
    line, line_rules = None, list[str]()
    if found is None or (found.how in ("function", "file") and found.place.filename in files.quoted):
        line = _line(raised, files)
        if line is not None and line.code and (certain or _OF_TRACER.search(raised.message)):
            line_rules = rules_of_line(line.code, codes, configs)
            found = None if line_rules else found
    return Failure(raised, known, found_at, found, findings, files, line, line_rules, said)


def _line(raised: Raised, files: Files) -> Frame | None:
    """The user's innermost line, if its file is none that can be read and the traceback shows it."""
    own = [frame for frame in raised.frames if is_users(frame)]
    return own[-1] if own and own[-1].code and files.is_missing(own[-1]) else None


def _culprit(chain: Sequence[Raised]) -> int:
    """The exception to explain: the last one, or what it was raised from where only that one says what failed."""
    last = len(chain) - 1
    while last and chain[last].is_bookkeeping:
        last -= 1
    at = last
    while at and chain[at].link in ("cause", "inside"):
        known = errors.error(chain[at].name)
        if known is not None and not known.says_little and chain[at].bare != "JaxRuntimeError":
            return at
        at -= 1
    known = errors.error(chain[at].name)
    return at if known is not None and not known.says_little and not chain[at].is_bookkeeping else last


def _connected(chain: Sequence[Raised], at: int) -> list[Raised]:
    """The exceptions that belong to the one at ``at``: those that led to it, and what came of it, the nearest last."""
    first = at
    while first and chain[first].link is not None:
        first -= 1
    last = at
    while last + 1 < len(chain) and chain[last + 1].link in ("cause", "inside"):
        last += 1
    return [*chain[first:at], *chain[last:at:-1]]


def data(failure: Failure) -> dict[str, Any]:
    from jaxlint.report.json import entry

    found = failure.match
    report = Report([], failure.findings.sources)
    return {
        "error": failure.raised.name,
        "message": failure.raised.message.strip(),
        "meaning": failure.error.meaning if failure.error is not None else None,
        "not_opened": failure.files.unopened,
        "raised_at": _place(failure.at[0], failure.files) if failure.at else None,
        "quoted_line": failure.line.code if failure.line is not None else None,
        "match": found.how if found is not None else "quoted" if failure.line_rules else None,
        "matched_at": _place(found.place, failure.files) if found is not None else None,
        "findings": [entry(each, report) for each in found.findings] if found is not None else [],
        "line_rules": list(failure.line_rules),
        "message_rules": list(failure.message_rules),
        "rules": error_data(failure.error)["rules"] if failure.error is not None else [],
    }


def _place(place: Place, files: Files) -> dict[str, Any]:
    cell, row = files.told(place)
    return {
        "filename": place.filename if place.filename in files.quoted else os.path.abspath(place.filename),
        "cell": cell, "row": row, "function": place.function, "moved": place.moved, "stale": place.stale,
    }  # fmt: skip


def show(failure: Failure) -> None:
    out = console()
    sentence = failure.raised.sentence
    out.print(visible(failure.raised.name) + (":" if sentence else ""), style="bold red", end=" " if sentence else "\n")
    for line in sentence.split("\n") if sentence else ():
        out.print(visible(line), soft_wrap=True)
    if failure.error is not None and not (failure.error.says_little and failure.match):
        out.print()
        out.print(failure.error.meaning)
    out.print()
    _show_place(failure, out)
    if failure.files.unopened:
        named = ", ".join(map(visible, failure.files.unopened))
        out.print(
            f"Not opened, because they lie outside of the working directory and its project: {named}. Run the command in"
            " the project of the file.",
            soft_wrap=True,
        )
    if failure.match is not None:
        _show_findings(failure, failure.match, out)
    elif failure.line_rules:
        _show_rule_of_line(find(failure.line_rules[0]), out)
    else:
        _show_rules(failure, out)


def _show_place(failure: Failure, out: Console) -> None:
    if failure.match is None and failure.line is not None:
        name, cell = cell_of(failure.line.filename)
        where = _where(name, cell, failure.line.row, failure.line.function)
        out.print(f"Raised at {where}, which cannot be read here. The traceback quotes the line:", soft_wrap=True)
        out.print(f"\n    {visible(failure.line.code or '')}\n", soft_wrap=True)
        return
    if not failure.at:
        if failure.raised.frames:
            out.print(
                "No file of yours that the traceback names can be read here, so the error is all there is to go by.",
                soft_wrap=True,
            )
        return
    place = failure.at[0]
    verb = {"frame": "Raised at", "message": "It comes from", "operation": "The operation stands at"}[place.origin]
    where = _where(place.filename, *failure.files.told(place), place.function)
    is_quoted = place.filename in failure.files.quoted
    out.print(f"{verb} {where}{', as the traceback quotes it' if is_quoted else ''}.", soft_wrap=True)
    if place.moved:
        out.print("The file has changed since: the line is where the traceback's line now stands.", soft_wrap=True)
    if place.stale:
        out.print("The file has changed since: the traceback's line is no longer there.", soft_wrap=True)


def _where(filename: str, cell: int | None, row: int, function: str | None) -> str:
    inside = f", in `{visible(function)}`" if function and not function.startswith("<") else ""
    return f"{shown_path(filename)}:{'' if cell is None else f'cell {cell}:'}{row}{inside}"


def _show_rule_of_line(rule: Rule, out: Console) -> None:
    said = f"jaxlint reports such a line, where what it uses is traced: {rule.code} {rule.name}."
    out.print(said, style="bold", soft_wrap=True)
    out.print(rule.summary, soft_wrap=True)
    print_example(rule, out)
    out.print()
    out.print(f"`jaxlint explain {rule.code}` has more on it.", soft_wrap=True)


def _show_findings(failure: Failure, found: Match, out: Console) -> None:
    from jaxlint.report.full import render

    codes = list(dict.fromkeys(each.code for each in found.findings))
    named = ", ".join(f"{code} {find(code).name}" for code in codes)
    out.print(f"{_introduction(found, failure.at[0], failure)}: {named}.", style="bold", soft_wrap=True)
    out.print()
    for each in found.findings:
        for line in render(each, Report([each], failure.findings.sources)):
            out.print(line, soft_wrap=True)
        out.print()
    bare = next((each for each in found.findings if each.fix is None or not each.fix.edits), None)
    if bare is not None:
        print_example(find(bare.code), out)
        out.print()
    for code in codes:
        if find(code).on != "default":
            text = f"`jaxlint check` reports {code} only where it is selected: `--extend-select {code}`."
            out.print(text, soft_wrap=True)
    out.print(f"`jaxlint explain {codes[0]}` has more on it.", soft_wrap=True)


def _introduction(found: Match, innermost: Place, failure: Failure) -> str:
    first = found.findings[0]
    if found.how in ("line", "statement"):
        address = Report([], failure.findings.sources).address(first.filename, first.start).rpartition(":")[0]
        return f"jaxlint reports this {found.how} ({address})"
    if found.how == "file":
        return "jaxlint reports nothing at the line; elsewhere in the file it finds what can raise the same error"
    function = {
        "frame": "the same function" if found.place == innermost else "a function that leads to it",
        "message": "the function that the message names",
        "operation": "the function that holds the operation",
    }[found.place.origin]
    return f"jaxlint reports nothing at the line, but in {function}"


def _show_rules(failure: Failure, out: Console) -> None:
    """The rules that could be meant, where no finding says which."""
    if failure.at and failure.is_explained:
        out.print("jaxlint reports nothing in your code that explains it.")
    by_message = bool(failure.message_rules) and (failure.error is None or failure.error.says_little)
    rules = [find(code) for code in failure.message_rules] if by_message else rules_of(failure.error)
    if rules:
        if failure.at or failure.raised.frames:
            out.print()
        how = " with such a message" if by_message else ""
        print_rules(f"Rules that report code which raises it{how}", rules, out)
        if by_message or not (failure.error is None or failure.error.says_little):
            print_example(rules[0], out)
    elif failure.error is not None:
        out.print("No rule of jaxlint reports code that raises it.")
