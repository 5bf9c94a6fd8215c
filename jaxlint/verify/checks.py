"""The checks that every fixture folder passes, in the order of ``results.CHECKS``.

Each function returns the problems it found, as sentences that name file and line.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

import jax

from jaxlint.rule import Rule
from jaxlint.verify import compare, lint, place, proofs, transforms
from jaxlint.verify.bless import counterpart, golden
from jaxlint.verify.execute import run_case
from jaxlint.verify.fixture import Case, Expectation, FixtureFile

NEAR_MISSES = 12
# Rules that recognise a name and nothing else have fewer ways to be wrong.
NEAR_MISSES_OF = {"JAX409": 6, "JAX701": 6}


@dataclass
class Pair:
    """``bad.py`` and the ``fixed.py`` beside it, with the results of running them that checks share."""

    bad: FixtureFile
    fixed: Optional[FixtureFile]
    rule: Rule
    notes: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    mended: dict[int, list[str]] = field(default_factory=dict)  # start row of the case -> problems
    transformed: Counter[str] = field(default_factory=Counter)  # transform -> cases whose fixed code was run under it

    @classmethod
    def read(cls, bad_path: Path, rule: Rule) -> "Pair":
        fixed_path = counterpart(bad_path)
        fixed = FixtureFile.read(fixed_path) if fixed_path.exists() else None
        return cls(FixtureFile.read(bad_path), fixed, rule)

    def counterpart(self, case: Case) -> Optional[Case]:
        if self.fixed is None:
            return None
        return next((other for other in self.fixed.cases if other.key == case.key), None)

    def at(self, row: int, problem: str) -> str:
        return f"{self.bad.path}:{row}: {problem}"

    def runnable(self) -> list[Case]:
        """Cases whose proofs can be shown here; the others are noted once."""
        return [case for case in self.bad.cases if all(place.speaks(case, proof) for proof in case.proofs)]


def check_findings(pair: Pair) -> list[str]:
    bad = pair.bad
    found = {
        Expectation(each.start.row, each.start.column, each.code, each.fix.applicability.value if each.fix else "none"):
            each.message
        for each in lint.diagnostics(bad.linted, str(bad.path), pair.rule)
    }
    repeated = [expectation for expectation, count in Counter(bad.expectations).items() if count > 1]
    wanted = set(bad.expectations)
    return (
        [pair.at(each.row, f"expected and not found: {each}") for each in sorted(wanted - set(found))]
        + [pair.at(each.row, f"found and not expected: {each}: {found[each]}") for each in sorted(set(found) - wanted)]
        + [pair.at(each.row, f"expected twice: {each}") for each in repeated]
        + ([] if any(each.code == pair.rule.code for each in wanted) else
           [pair.at(1, f"nothing is expected of {pair.rule.code}")])
    )


def check_proof(pair: Pair) -> list[str]:
    problems = []
    if not pair.bad.cases:
        problems.append(pair.at(1, "holds no case; start one with `# run:` and `# proves:`"))
    for case in pair.bad.cases:
        if not case.proofs:
            problems.append(pair.at(case.start, "the case has no `# proves:`"))
        for proof in case.proofs:
            if not place.speaks(case, proof):
                limit = str(proof.condition) or f"jax>{case.before}"
                pair.skipped.append(f"{pair.bad.path.name}:{proof.row}: {limit}")
                continue
            shown = proofs.show(pair.bad, case, proof, pair.rule.code)
            if shown.problem:
                problems.append(pair.at(case.run_row or case.start, shown.problem))
            if shown.note:
                pair.notes.append(shown.note)
    earlier = [case.before for case in pair.bad.cases if case.before]
    if earlier:
        releases = ",".join(sorted(set(earlier), key=place.release))
        pair.notes.append(
            f"{pair.bad.path.name}: before: not run here: {len(earlier)} cases; `jaxlint verify --jax {releases}` runs them"
        )
    return problems


def check_fixed(pair: Pair) -> list[str]:
    """Whether each fixed case runs; what it gives is kept for ``check_values``."""
    if pair.fixed is None:
        return [_missing(pair)]
    problems = []
    for case in pair.runnable():
        fixed_case = pair.counterpart(case)
        if fixed_case is None:
            problems.append(pair.at(case.start, f"{pair.fixed.path.name} has no case with this `# run:`"))
            continue
        found = pair.mended[case.start] = proofs.mended(pair.bad, case, pair.fixed, fixed_case)
        problems += [_in_fixed(pair, fixed_case, problem) for problem in found if problem.startswith(proofs.DOES_NOT_RUN)]
    return problems


def check_values(pair: Pair) -> list[str]:
    """What ``check_fixed`` found of cases that run."""
    problems = []
    for case in pair.bad.cases:
        fixed_case = pair.counterpart(case)
        if fixed_case is not None:
            found = pair.mended.get(case.start, [])
            problems += [_in_fixed(pair, fixed_case, each) for each in found if not each.startswith(proofs.DOES_NOT_RUN)]
    return problems


def check_transforms(pair: Pair) -> list[str]:
    problems = []
    for case in pair.runnable():
        fixed_case = pair.counterpart(case)
        if pair.fixed is None or fixed_case is None:
            continue
        for transform in case.also:
            pair.transformed[transform] += 1
            found = transforms.difference(pair.bad, case, pair.fixed, fixed_case, transform)
            problems += [_in_fixed(pair, fixed_case, found)] if found else []
    return problems


def check_golden(pair: Pair) -> list[str]:
    if pair.fixed is None:
        return [_missing(pair)]
    text, missing = golden(pair.bad, pair.fixed, pair.rule)
    problems = [pair.at(1, what) for what in missing]
    if text != pair.fixed.text:
        row = _first_difference(text, pair.fixed.text)
        problems.append(
            f"{pair.fixed.path}:{row}: is not what the fixes make of {pair.bad.path.name};"
            f" `python -m jaxlint.verify bless {pair.rule.code}` rewrites it"
        )
    again = lint.fix(pair.fixed.text, str(pair.fixed.path), pair.rule)
    if again != pair.fixed.text:
        problems.append(f"{pair.fixed.path}:{_first_difference(again, pair.fixed.text)}: fixing it again changes it")
    for each in lint.diagnostics(pair.fixed.linted, str(pair.fixed.path), pair.rule):
        if each.code == pair.rule.code:
            problems.append(f"{pair.fixed.path}:{each.start.row}: still reported: {each.code} {each.message}")
    return problems


def check_good(path: Path, rule: Rule) -> list[str]:
    if not path.exists():
        return [f"{path}: is missing; it holds the near misses that stay silent"]
    good = FixtureFile.read(path)
    problems = [
        f"{path}:{each.start.row}: should be silent: {each.code} {each.message}"
        for each in lint.diagnostics(good.linted, str(path), None)
    ]
    problems += _facts(good, rule)
    for case in good.cases:
        if case.run is None and not _does_something(good, case):
            problems.append(f"{path}:{case.start}: nothing runs it; add a `# run:`")
            continue
        outcome = run_case(good, case)
        row = case.run_row or case.start
        if outcome.error is not None:
            problems.append(f"{path}:{row}: should run, {outcome}")
        problems += [
            f"{path}:{row}: warns: {each.category.__name__}: {each.message}"
            for each in outcome.warnings if _concerns(each, path)
        ]
    return problems


def check_safe(pair: Pair) -> list[str]:
    """Where a case holds a safe fix: every run the original survives untransformed gives the same bits."""
    if pair.fixed is None:
        return [_missing(pair)]
    problems = []
    for case in pair.runnable():
        fixed_case = pair.counterpart(case)
        if fixed_case is None or not any(each.level == "safe" for each in pair.bad.expected_in(case)):
            continue
        if pair.mended.get(case.start, ["not shown"]):
            problems.append(pair.at(case.start, "a fix is called safe and the fixed code was not shown to be right"))
        for expression, row in [(case.run, case.run_row), *case.runs]:
            before = run_case(pair.bad, case, expression=expression or "", expression_row=row, within=jax.disable_jit)
            if before.error is not None:
                continue  # the original cannot run there: nothing to keep
            after = run_case(
                pair.fixed, fixed_case, expression=expression or "", expression_row=row, within=jax.disable_jit
            )
            found = str(after) if after.error is not None else compare.difference(after.value, before.value, bits=True)
            if found:
                problems.append(pair.at(row, f"a fix is called safe and changes what the original gave: {found}"))
    return problems


def _in_fixed(pair: Pair, fixed_case: Case, problem: str) -> str:
    return f"{counterpart(pair.bad.path)}:{fixed_case.run_row or fixed_case.start}: {problem}"


def _missing(pair: Pair) -> str:
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


def _does_something(good: FixtureFile, case: Case) -> bool:
    """Whether executing the case runs more than definitions and imports."""
    passive = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
    return any(
        case.start <= statement.lineno < case.end and not isinstance(statement, passive)
        for statement in ast.parse(good.text).body
    )


def _concerns(warning: warnings.WarningMessage, path: Path) -> bool:
    """Whether a warning is about the fixture; libraries deprecate each other's names all the time."""
    deprecation = issubclass(warning.category, (DeprecationWarning, PendingDeprecationWarning, ImportWarning))
    return not deprecation or warning.filename == str(path)
