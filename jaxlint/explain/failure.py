"""A traceback explained: which exception counts, which rule it is a case of, and at which line of the user."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Sequence

from jaxlint.explain.pages import console, error_data, print_example, print_rules, rules_of
from jaxlint.explain.places import Findings, Match, Place, lint, match, places
from jaxlint.explain.traceback import Raised
from jaxlint.knowledge import errors
from jaxlint.knowledge.errors import Error
from jaxlint.report import Report
from jaxlint.report.text import shown_path, visible
from jaxlint.rules import find

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class Failure:
    """What is known of a traceback."""

    raised: Raised
    error: Optional[Error]
    at: Sequence[Place]
    match: Optional[Match]
    findings: Findings = field(default_factory=Findings)

    @property
    def is_explained(self) -> bool:
        return self.match is not None or self.error is not None


def explain(chain: Sequence[Raised]) -> Failure:
    """What happened in the code that the exceptions of a text come from."""
    at = _culprit(chain)
    raised, connected = chain[at], _connected(chain, at)
    known = errors.error(raised.name)
    codes = [rule.code for rule in rules_of(known)]
    for other in connected:  # one cause can have several names: what a callback raises, and what comes of it
        codes += [rule.code for rule in rules_of(errors.error(other.name))]
    found_at = places(raised, connected)
    findings = lint(list(dict.fromkeys(place.filename for place in found_at)), codes)
    certain = known is not None and not known.says_little
    return Failure(raised, known, found_at, match(found_at, codes, findings, certain), findings)


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
        "raised_at": _place(failure.at[0]) if failure.at else None,
        "match": found.how if found is not None else None,
        "matched_at": _place(found.place) if found is not None else None,
        "findings": [entry(each, report) for each in found.findings] if found is not None else [],
        "rules": error_data(failure.error)["rules"] if failure.error is not None else [],
    }


def _place(place: Place) -> dict[str, Any]:
    return {
        "filename": os.path.abspath(place.filename), "row": place.row, "function": place.function,
        "moved": place.moved, "stale": place.stale,
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
    if failure.match is not None:
        _show_findings(failure, failure.match, out)
    elif failure.error is not None:
        _show_rules(failure.error, bool(failure.at), out)


def _show_place(failure: Failure, out: "Console") -> None:
    if not failure.at:
        if failure.raised.frames:
            out.print(
                "No file of yours that the traceback names can be read here, so the error is all there is to go by.",
                soft_wrap=True,
            )
        return
    place = failure.at[0]
    verb = {"frame": "Raised at", "message": "It comes from", "operation": "The operation stands at"}[place.origin]
    out.print(f"{verb} {_where(place)}", soft_wrap=True)
    if place.moved:
        out.print("The file has changed since: the line is where the traceback's line now stands.", soft_wrap=True)
    if place.stale:
        out.print("The file has changed since: the traceback's line is no longer there.", soft_wrap=True)


def _where(place: Place) -> str:
    function = f", in `{visible(place.function)}`" if place.function and place.function != "<module>" else ""
    return f"{shown_path(place.filename)}:{place.row}{function}."


def _show_findings(failure: Failure, found: Match, out: "Console") -> None:
    from jaxlint.report.full import render

    codes = list(dict.fromkeys(each.code for each in found.findings))
    named = ", ".join(f"{code} {find(code).name}" for code in codes)
    out.print(f"{_introduction(found, failure.at[0])}: {named}.", style="bold", soft_wrap=True)
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


def _introduction(found: Match, innermost: Place) -> str:
    first = found.findings[0]
    if found.how in ("line", "statement"):
        return f"jaxlint reports this {found.how} ({shown_path(first.filename)}:{first.start.row})"
    if found.how == "file":
        return "jaxlint reports nothing at the line; elsewhere in the file it finds what can raise the same error"
    function = {
        "frame": "the same function" if found.place == innermost else "a function that leads to it",
        "message": "the function that the message names",
        "operation": "the function that holds the operation",
    }[found.place.origin]
    return f"jaxlint reports nothing at the line, but in {function}"


def _show_rules(error: Error, is_read: bool, out: "Console") -> None:
    """The rules that could be meant, where no finding says which."""
    if is_read:
        out.print("jaxlint reports nothing in your code that explains it.")
    rules = rules_of(error)
    if not rules:
        out.print("No rule of jaxlint reports code that raises it.")
        return
    out.print()
    print_rules("Rules that report code which raises it", rules, out)
    if not error.says_little:
        print_example(rules[0], out)
