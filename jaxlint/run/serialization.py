"""Outcomes as JSON, which one run writes and another one reads. What is read may have been written by anybody."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from jaxlint.diagnostics.suppressions import Silenced, Spot
from jaxlint.run.job import Outcome
from jaxlint.run.pipeline import CrossFileDiagnostic
from jaxlint.source.diagnostic import Applicability, Category, Diagnostic, Edit, Fix, Related, RemoteFix
from jaxlint.source.text import Position, Source

# What reading raises where something else was written.
UNFIT = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


def plain(outcome: Outcome) -> dict[str, Any]:
    """What was found in a file and is not merged with what was found in others."""
    return {
        "diagnostics": [*map(plain_diagnostic, outcome.diagnostics)],
        "elsewhere": [[plain_diagnostic(each.diagnostic), plain_diagnostic(each.call)] for each in outcome.elsewhere],
        "budget_reached": outcome.budget_reached,
        "silenced": outcome.silenced,  # as lists
        "presumed": outcome.presumed,
    }


def read(data: dict[str, Any], filename: str, source: Source | None) -> Outcome:
    """The outcome of which ``data`` was made. Raises UNFIT."""
    diagnostics = [*map(diagnostic, data["diagnostics"])]
    elsewhere = [CrossFileDiagnostic(diagnostic(found), diagnostic(call)) for found, call in data["elsewhere"]]
    return Outcome(
        filename,
        diagnostics,
        source if diagnostics or elsewhere else None,
        budget_reached=[_is(str, each) for each in data["budget_reached"]],
        elsewhere=elsewhere,
        presumed=_is(int, data["presumed"]),
        silenced=[
            Silenced(_is(str, code), _spot(place), tuple(map(_spot, by)), None if call is None else _spot(call))
            for code, place, by, call in data["silenced"]
        ],
    )


def plain_diagnostic(each: Diagnostic) -> dict[str, Any]:
    data = asdict(each)
    places: list[tuple[dict[str, Any], Diagnostic | Related]] = [(data, each), *zip(data["related"], each.related)]
    for place, held in places:
        place["start"], place["end"] = held.start._asdict(), held.end._asdict()
    del data["key_uses"]  # comments have been looked for
    del data["remote"]
    if each.remote is not None:
        filename, start, fix = each.remote
        data["remote"] = {"filename": filename, "start": start._asdict(), "fix": _plain_fix(fix)}
    data["fix"] = None if each.fix is None else _plain_fix(each.fix)
    return data


def _plain_fix(fix: Fix) -> dict[str, Any]:
    data = asdict(fix)
    del data["imports"], data["at"]  # they have become edits
    return data


def _is(kind: Any, value: Any) -> Any:
    """``value``, which must be a ``kind``: what others could have written is not passed on. Raises TypeError."""
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind}")
    return value


def _spot(data: Any) -> Spot:
    path, row, column = data
    return Spot(_is(str, path), _is(int, row), _is(int, column))


def _position(data: dict[str, Any]) -> Position:
    return Position(_is(int, data["row"]), _is(int, data["column"]))


def diagnostic(data: dict[str, Any]) -> Diagnostic:
    """The diagnostic of which ``data`` was made. Raises UNFIT."""
    fix = data["fix"]
    return Diagnostic(
        **{name: _is(str, data[name]) for name in ("code", "name", "message", "filename", "convention")},
        **{name: _is((str, type(None)), data[name]) for name in ("help", "url")},
        start=_position(data["start"]),
        end=_position(data["end"]),
        category=Category(data["category"]),
        fix=None if fix is None else _fix(fix),
        related=tuple(
            Related(
                _is(str, each["message"]), _is(str, each["filename"]), _position(each["start"]), _position(each["end"])
            )
            for each in data["related"]
        ),
        noqa_row=_is((int, type(None)), data["noqa_row"]),
        remote=_remote(data["remote"]) if "remote" in data else None,
    )


def _remote(data: dict[str, Any]) -> RemoteFix:
    return RemoteFix(_is(str, data["filename"]), _position(data["start"]), _fix(data["fix"]))


def _fix(data: dict[str, Any]) -> Fix:
    edits = tuple(
        Edit(_is(int, each["start"]), _is(int, each["end"]), _is(str, each["content"])) for each in data["edits"]
    )
    level = Applicability(data["applicability"])
    return Fix(_is(str, data["title"]), edits, level, changes=_is(str, data["changes"]))
