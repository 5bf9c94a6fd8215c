"""Results of verification: one row for each rule, platform and version. Imports no jax."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

CHECKS = {
    "findings": "findings in bad.py equal the expectations",
    "messages": "bad.txt is what the findings in bad.py say: message, reasons, help and fix",
    "proof": "bad.py fails as declared under real JAX",
    "fixed": "fixed.py runs under the same transform",
    "values": "fixed.py gives the value of the reference, in structure, shape and dtype, and draws no random number twice",
    "transforms": "fixed.py gives the values of the original under jit, vmap and grad, where the case declares them",
    "golden": "fixed.py is what the fixes make of bad.py, and clean",
    "good": "good.py runs without error or warning, and is silent",
    "safe": "safe fixes keep type, dtype, shape and bits where the original could run",
}

PLATFORMS = ("cpu", "gpu")
_RECORDED = Path(__file__).with_name("recorded.json")


@dataclass
class Report:
    """What verifying one fixture folder gave."""

    code: str
    name: str
    place: dict[str, str] = field(default_factory=dict)  # platform, device, jax, python
    problems: dict[str, list[str]] = field(default_factory=dict)  # check -> sentences
    notes: list[str] = field(default_factory=list)  # figures, ways in which something was shown
    skipped: list[str] = field(default_factory=list)  # proofs that are for another platform or version
    cases: int = 0
    facts: int = 0
    fixes: dict[str, int] = field(default_factory=dict)  # level -> findings of the rule that are expected
    transforms: dict[str, int] = field(default_factory=dict)  # transform -> cases whose fixed code was run under it
    keys: int = 0  # cases whose fixed code was run under JAX's key checker
    oracle: dict[str, Any] = field(default_factory=dict)  # figures of `oracle.Comparison`, where it was asked for
    died: str = ""  # why there is no result, where the process did not survive

    @classmethod
    def from_json(cls, line: str) -> Report:
        return cls(**json.loads(line))

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    def add(self, part: Report) -> None:
        """Count what one of the rule's pairs of files holds."""
        for total, counts in ((self.fixes, part.fixes), (self.transforms, part.transforms)):
            for name, count in counts.items():
                total[name] = total.get(name, 0) + count
        self.keys += part.keys

    @property
    def failures(self) -> list[str]:
        return [f"[{check}] {problem}" for check in CHECKS for problem in self.problems.get(check, [])] + (
            [self.died] if self.died else []
        )

    @property
    def outcome(self) -> str:
        if self.failures:
            return "failed"
        return "not run here" if self.cases and len(self.skipped) >= self.cases else "proven"

    def row(self) -> dict[str, Any]:
        """The row of the table that is recorded and shown."""
        return {
            "rule": self.code,
            "name": self.name,
            "platform": self.place.get("platform", "unknown"),
            "device": self.place.get("device", "unknown"),
            "jax": self.place.get("jax", "unknown"),
            "python": self.place.get("python", "unknown"),
            "outcome": self.outcome,
            "cases": self.cases,
            "near_misses": self.facts,
            "not_run_here": len(self.skipped),
            "fixes": self.fixes,
            "checks": {} if self.died else {check: not found for check, found in self.problems.items()},
            "transforms": self.transforms,
            "keys": self.keys,
            "date": datetime.date.today().isoformat(),
            "failures": self.failures,
            "notes": self.notes,
        }


def recorded(path: Path = _RECORDED) -> list[dict[str, Any]]:
    """Rows of earlier runs, on other platforms too."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def record(
    rows: Iterable[dict[str, Any]], path: Path = _RECORDED, rules: set[str] | None = None
) -> list[dict[str, Any]]:
    """Keep rows, each in the place of an older one for the same rule, platform and version of JAX; one row a line.

    Where ``rules`` are given, rows of other rules go: those that are no more.
    """
    kept = {_identity(row): row for row in recorded(path)}
    for row in rows:
        kept[_identity(row)] = {name: value for name, value in row.items() if name != "notes"}
    found = [kept[key] for key in sorted(kept) if rules is None or key[0] in rules]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found)
    path.write_text(f"[\n{lines}\n]\n" if lines else "[]\n", encoding="utf-8")
    return found


def sum_of_oracle(figures: list[dict[str, Any]]) -> dict[str, Any]:
    """Figures of several comparisons added up, with a sentence that says them."""
    total: dict[str, Any] = {
        name: sum(each.get(name, 0) for each in figures) for name in ("compared", "certain", "unwitnessed", "unclaimed")
    }
    failures = [line for each in figures for line in each.get("disagreements", []) + each.get("failures", [])]
    share = total["certain"] / total["compared"] if total["compared"] else 0.0
    summary = (
        f"{total['compared']} expressions compared, {share:.1%} of them certain, {len(failures)} disagreements"
        f" ({total['unwitnessed']} unwitnessed, {total['unclaimed']} without a claim)"
    )
    return {"summary": summary, **total, "failures": failures}


def _identity(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["rule"], row["platform"], row["jax"]


def one_each(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each rule, where several releases have one."""
    return list({row["rule"]: row for row in reversed(rows)}.values())[::-1]


def worst(rows: list[dict[str, Any]], code: str) -> str:
    """The outcome of a rule over all rows: failed anywhere, else proven anywhere."""
    outcomes = {row["outcome"] for row in rows if row["rule"] == code}
    return next(outcome for outcome in ("failed", "proven", "not run here") if outcome in outcomes)


def columns(rows: list[dict[str, Any]], earlier: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Heading of each column of the table, a platform with a version of JAX, and in it the outcome by rule.

    What this run did not cover stands there as it was recorded, with its date. A platform on which
    nothing was ever run has a column that says so.
    """
    codes = [row["rule"] for row in rows]
    here = {_identity(row) for row in rows}
    outcomes = [(row, row["outcome"]) for row in rows]
    outcomes += [
        (row, f"{row['outcome']} ({row['date']})")
        for row in earlier
        if row["rule"] in codes and _identity(row) not in here
    ]
    cells: dict[str, dict[str, str]] = {}
    for row, outcome in sorted(outcomes, key=lambda each: (each[0]["platform"], _numbers(each[0]["jax"]))):
        cells.setdefault(f"{row['platform']}, jax {row['jax']}", {})[row["rule"]] = outcome
    for platform in PLATFORMS:
        if not any(heading.startswith(f"{platform},") for heading in cells):
            cells[platform] = {}
    return {heading: {code: column.get(code, "not yet run") for code in codes} for heading, column in cells.items()}


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def markdown(rows: list[dict[str, Any]], earlier: list[dict[str, Any]]) -> str:
    """The table as it stands in the documentation."""
    shown = columns(rows, earlier)
    lines = [
        f"| rule | name | cases | near misses | {' | '.join(shown)} |",
        f"|---|---|--:|--:|{'---|' * len(shown)}",
    ]
    for row in one_each(rows):
        cells = " | ".join(column[row["rule"]] for column in shown.values())
        lines.append(f"| {row['rule']} | {row['name']} | {row['cases']} | {row['near_misses']} | {cells} |")
    return "\n".join(lines) + "\n"
