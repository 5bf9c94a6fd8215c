"""The checks of a fixture folder that need no JAX: its files are linted and fixed, and what is said is compared.

Each function returns the problems it found, as sentences that name file and line.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from jaxlint.hazards.rule import Rule
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.verify import lint, messages
from jaxlint.verify.bless import counterpart, golden
from jaxlint.verify.fixture import Case, Expectation, FixtureFile

NEAR_MISSES = 12
# Rules that recognise a name and nothing else have fewer ways to be wrong.
NEAR_MISSES_OF = {"JAX409": 6, "JAX701": 6}


@dataclass
class Pair:
    """``bad.py`` and the ``fixed.py`` beside it, with the results of running them that checks share."""

    bad: FixtureFile
    fixed: FixtureFile | None
    rule: Rule
    notes: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    mended: dict[int, list[str]] = field(default_factory=dict)  # start row of the case -> problems
    transformed: Counter[str] = field(default_factory=Counter)  # transform -> cases whose fixed code was run under it

    @classmethod
    def read(cls, bad_path: Path, rule: Rule) -> Pair:
        fixed_path = counterpart(bad_path)
        fixed = FixtureFile.read(fixed_path) if fixed_path.exists() else None
        return cls(FixtureFile.read(bad_path), fixed, rule)

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """What is reported in ``bad.py``."""
        return lint.diagnostics(self.bad.linted, str(self.bad.path), self.rule)

    def counterpart(self, case: Case) -> Case | None:
        if self.fixed is None:
            return None
        return next((other for other in self.fixed.cases if other.key == case.key), None)

    def at(self, row: int, problem: str) -> str:
        return f"{self.bad.path}:{row}: {problem}"


def check_findings(pair: Pair) -> list[str]:
    bad = pair.bad
    found = {
        Expectation(
            each.start.row, each.start.column, each.code, each.fix.applicability.value if each.fix else "none"
        ): each.message
        for each in pair.diagnostics
    }
    repeated = [expectation for expectation, count in Counter(bad.expectations).items() if count > 1]
    wanted = set(bad.expectations)
    return (
        [pair.at(each.row, f"expected and not found: {each}") for each in sorted(wanted - set(found))]
        + [pair.at(each.row, f"found and not expected: {each}: {found[each]}") for each in sorted(set(found) - wanted)]
        + [pair.at(each.row, f"expected twice: {each}") for each in repeated]
        + (
            []
            if any(each.code == pair.rule.code for each in wanted)
            else [pair.at(1, f"nothing is expected of {pair.rule.code}")]
        )
    )


def check_messages(pair: Pair) -> list[str]:
    said = messages.rendered(pair.diagnostics, pair.bad.linted, pair.bad.path)
    return messages.difference(said, pair.bad.path, pair.rule.code)


def check_golden(pair: Pair) -> list[str]:
    if pair.fixed is None:
        return [missing_golden(pair)]
    text, missing = golden(pair.bad, pair.fixed, pair.rule)
    problems = [pair.at(1, what) for what in missing]
    if text != pair.fixed.text:
        row = _first_difference(text, pair.fixed.text)
        problems.append(
            f"{pair.fixed.path}:{row}: is not what the fixes make of {pair.bad.path.name};"
            f" `python -m jaxlint.verify bless {pair.rule.code}` rewrites it"
        )
    again, left = lint.fix(pair.fixed.text, str(pair.fixed.path), pair.rule)
    if again != pair.fixed.text:
        problems.append(f"{pair.fixed.path}:{_first_difference(again, pair.fixed.text)}: fixing it again changes it")
    for each in left:
        if each.code == pair.rule.code:
            problems.append(f"{pair.fixed.path}:{each.start.row}: still reported: {each.code} {each.message}")
    return problems


# By the name in `results.CHECKS`.
CHECKS = {"findings": check_findings, "messages": check_messages, "golden": check_golden}


def check_silent(good: FixtureFile, rule: Rule) -> list[str]:
    """Whether nothing is reported in the near misses, and each names its fact."""
    return [
        f"{good.path}:{each.start.row}: should be silent: {each.code} {each.message}"
        for each in lint.diagnostics(good.linted, str(good.path), None)
    ] + _facts(good, rule)


def missing_golden(pair: Pair) -> str:
    path = counterpart(pair.bad.path)
    return f"{path}: is missing; `python -m jaxlint.verify bless {pair.rule.code}` writes it"


def _first_difference(left: str, right: str) -> int:
    rows = zip(left.split("\n"), right.split("\n"))
    return next((row for row, (one, other) in enumerate(rows, start=1) if one != other), right.count("\n") + 1)


def _facts(good: FixtureFile, rule: Rule) -> list[str]:
    problems = []
    counts = Counter(fact.lower().rstrip(".") for _, fact in good.facts)
    for row, fact in good.facts:
        if not fact:
            problems.append(f"{good.path}:{row}: `# fact:` names no fact")
        elif counts[fact.lower().rstrip(".")] > 1:
            problems.append(f"{good.path}:{row}: another near miss names the same fact")
    for case in good.cases:
        if not any(case.start <= row < case.end for row, _ in good.facts):
            problems.append(f"{good.path}:{case.start}: the near miss has no `# fact:`")
    wanted = NEAR_MISSES_OF.get(rule.code, NEAR_MISSES)
    if len(counts) < wanted:
        problems.append(f"{good.path}: has {len(counts)} near misses; {rule.code} needs at least {wanted}")
    return problems
