"""What is counted of the oracle's packages, in sums: those of both halves, at the first look and at the last.

No sum tells of a file or of a line. ``oracle.json`` keeps every look that was recorded.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from activations import Findings
from first_sight import commit
from oracle_packages import FIRST, PACKAGES, is_counted, pins

LOOKS = Path(__file__).resolve().parent / "oracle.json"

TITLE = "## Two halves"
INTRODUCTION = """\
A hash of its name decides whether a package may be looked into (`tests/ecosystem/oracle_packages.py`). Of the *counted* half
`python tests/ecosystem/oracle.py --counted` prints the table below and nothing else, so that nothing can be fitted to it. The
figures of the first look were taken when the packages were chosen, before anything was changed for one of them. The tests of
a package are given 40 to 150 seconds on a busy machine (`--seconds`). Since the first look the
tests of some have run again and show other expressions: there the columns of the two looks are not of the same ones.

- **Tracers** are the expressions that were a tracer, and how many of them the model claims to be one: at the first look, now.
- **Claims** are all expressions of which the model says for certain what they are, traced or not, and how many of them are wrong.
"""
TABLES = {
    "close": "With the oracle's budgets:",
    "lint": "With the budgets of a lint run:",
}


@dataclass(frozen=True)
class Sums:
    """Expressions of one package."""

    tracers: int = 0
    claimed: int = 0  # of the tracers, as such
    claims: int = 0
    wrong: int = 0
    details: int = 0
    wrong_details: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(a + b for a, b in zip(astuple(self), astuple(other))))


def sums(findings: Findings) -> Sums:
    tracers = findings.expressions[True, "tracer"]
    every = list(findings.expressions.values())
    return Sums(
        tracers.compared, tracers.certain - tracers.wrong,
        sum(each.certain for each in every), sum(each.wrong for each in every),
        sum(each.details for each in every), sum(each.wrong_details for each in every),
    )  # fmt: skip


@dataclass(frozen=True)
class Look:
    date: str
    commit: str  # the last one that changed the linter
    budget: str
    packages: dict[str, Sums]


def looks() -> list[Look]:
    """The looks that were recorded, oldest first."""
    found = json.loads(LOOKS.read_text(encoding="utf-8")) if LOOKS.exists() else []
    return [
        Look(each["date"], each["commit"], each["budget"], {name: Sums(*row) for name, row in each["packages"].items()})
        for each in found
    ]


def record(found: dict[str, Sums], budget: str) -> None:
    """Add a look, to the last one where that is at the same commit."""
    now = Look(datetime.date.today().isoformat(), commit(), budget, found)
    known = looks()
    same = [each for each in known if (each.commit, each.budget) == (now.commit, budget)]
    kept = [each for each in known if each not in same]
    merged = Look(
        now.date, now.commit, budget, {name: row for each in (*same, now) for name, row in each.packages.items()}
    )
    lines = [
        json.dumps({"date": each.date, "commit": each.commit, "budget": each.budget})[:-1]
        + ', "packages": {\n'
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(astuple(row))}" for name, row in sorted(each.packages.items()))
        + "}}"
        for each in (*kept, merged)
    ]
    LOOKS.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def section() -> str:
    """The part of the page that the looks give."""
    lines = [TITLE, "", INTRODUCTION]
    for budget, title in TABLES.items():
        those = [each for each in looks() if each.budget == budget]
        first: dict[str, Sums] = {}
        last: dict[str, Sums] = {}
        for look in those:
            last.update(look.packages)
            for name, row in look.packages.items():
                first.setdefault(name, row)
        if last:
            lines += [title, "", *table(last, first), ""]
    seen = {name for each in looks() for name in each.packages}
    missing = [name for name in PACKAGES if name not in seen and name not in FIRST]
    if missing:
        lines += [
            f"Nothing was seen of {', '.join(missing)}: their tests could not be imported with the JAX at hand or from the sdist"
            " alone, or took longer than they were given.",
            "",
        ]
    return "\n".join(lines)


def table(last: dict[str, Sums], first: dict[str, Sums] | None = None) -> Iterator[str]:
    """The sums by package, those of the counted half last, each half with its mean."""
    ahead = "claimed at first | " if first is not None else ""
    yield f"| package | tracers | {ahead}claimed | claims | wrong | details | wrong |"
    yield "|---|" + "--:|" * (ahead.count("|") + len(fields(Sums)))
    for title, counted in (("looked into", False), ("only counted", True)):
        names = [name for name in sorted(last) if is_counted(name) == counted and name not in FIRST]
        for name in names:
            before = [_share(first[name])] if first is not None else []
            yield _row(f"{name} {pins()[name].version}", last[name], before, _share(last[name]))
        if names:
            before = [_mean(first[name] for name in names)] if first is not None else []
            total = sum((last[name] for name in names), Sums())
            yield _row(f"**{title}**, shares on the mean", total, before, _mean(last[name] for name in names))


def _row(name: str, row: Sums, before: list[str], now: str) -> str:
    wrong = f"{row.wrong} ({100 * row.wrong / row.claims:.2f} %)" if row.wrong else "0"
    cells = (name, row.tracers, *before, now, row.claims, wrong, row.details, row.wrong_details)
    return f"| {' | '.join(map(str, cells))} |"


def _share(row: Sums) -> str:
    return f"{row.claimed} ({100 * row.claimed / row.tracers:.1f} %)" if row.tracers else "0"


def _mean(rows: Iterable[Sums]) -> str:
    shares = [row.claimed / row.tracers for row in rows if row.tracers]
    return f"{100 * sum(shares) / len(shares):.1f} %" if shares else "0"
