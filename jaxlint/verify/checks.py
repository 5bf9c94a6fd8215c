"""The checks of a fixture folder that run it under JAX; ``linted`` has the others.

Each function returns the problems it found, as sentences that name file and line.
"""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

import jax

from jaxlint.hazards.rule import Rule
from jaxlint.verify import compare, place, proofs, raised, transforms
from jaxlint.verify.bless import counterpart
from jaxlint.verify.execute import Run, run_case
from jaxlint.verify.fixture import Case, FixtureFile
from jaxlint.verify.linted import Pair, check_silent, missing_golden


def runnable(pair: Pair) -> list[Case]:
    """Cases whose proofs can be shown here; the others are noted once."""
    return [case for case in pair.bad.cases if all(place.speaks(case, proof) for proof in case.proofs)]


def check_proof(pair: Pair, run: Run) -> list[str]:
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
            shown = proofs.show(pair.bad, case, proof, pair.rule.code, run)
            if shown.problem:
                problems.append(pair.at(case.run_row or case.start, shown.problem))
            if shown.error is not None and not raised.is_known(pair.bad, shown.error, pair.rule.code):
                text = f"`explain` does not lead from this message to {pair.rule.code}: {shown.error}"
                problems.append(
                    pair.at(case.run_row or case.start, f"{text}; `python -m jaxlint.verify.raised` writes it")
                )
            if shown.note:
                pair.notes.append(shown.note)
    earlier = [case.before for case in pair.bad.cases if case.before]
    if earlier:
        releases = ",".join(sorted(set(earlier), key=place.release))
        pair.notes.append(
            f"{pair.bad.path.name}: before: not run here: {len(earlier)} cases; `jaxlint verify --jax {releases}` runs them"
        )
    return problems


def check_fixed(pair: Pair, run: Run) -> list[str]:
    """Whether each fixed case runs; what it gives is kept for ``check_values``."""
    if pair.fixed is None:
        return [missing_golden(pair)]
    problems = []
    for case in runnable(pair):
        fixed_case = pair.counterpart(case)
        if fixed_case is None:
            problems.append(pair.at(case.start, f"{pair.fixed.path.name} has no case with this `# run:`"))
            continue
        found = pair.mended[case.start] = proofs.mended(pair.bad, case, pair.fixed, fixed_case, run)
        problems += [
            _in_fixed(pair, fixed_case, problem) for problem in found if problem.startswith(proofs.DOES_NOT_RUN)
        ]
    return problems


def check_values(pair: Pair) -> list[str]:
    """What ``check_fixed`` found of cases that run."""
    problems = []
    for case in pair.bad.cases:
        fixed_case = pair.counterpart(case)
        if fixed_case is not None:
            found = pair.mended.get(case.start, [])
            problems += [
                _in_fixed(pair, fixed_case, each) for each in found if not each.startswith(proofs.DOES_NOT_RUN)
            ]
    return problems


def check_transforms(pair: Pair) -> list[str]:
    problems = []
    for case in runnable(pair):
        fixed_case = pair.counterpart(case)
        if pair.fixed is None or fixed_case is None:
            continue
        for transform in case.also:
            pair.transformed[transform] += 1
            found = transforms.difference(pair.bad, case, pair.fixed, fixed_case, transform)
            problems += [_in_fixed(pair, fixed_case, found)] if found else []
    return problems


def check_good(path: Path, rule: Rule, run: Run = run_case) -> list[str]:
    """Whether the near misses are silent and run; ``run`` may look at what it runs."""
    if not path.exists():
        return [f"{path}: is missing; it holds the near misses that stay silent"]
    good = FixtureFile.read(path)
    problems = check_silent(good, rule)
    for case in good.cases:
        if case.run is None and not _does_something(good, case):
            problems.append(f"{path}:{case.start}: nothing runs it; add a `# run:`")
            continue
        outcome = run(good, case)
        row = case.run_row or case.start
        if outcome.error is not None:
            problems.append(f"{path}:{row}: should run, {outcome}")
        problems += [
            f"{path}:{row}: warns: {each.category.__name__}: {each.message}"
            for each in outcome.warnings
            if _concerns(each, path)
        ]
    return problems


def check_safe(pair: Pair) -> list[str]:
    """Where a case holds a safe fix: every run the original survives untransformed gives the same bits."""
    if pair.fixed is None:
        return [missing_golden(pair)]
    problems = []
    for case in runnable(pair):
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
