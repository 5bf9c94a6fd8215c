"""What a hazard does under real JAX, one function for each kind of ``# proves:``.

Each is given a case of ``bad.py`` and says what is wrong with the claim (None: it was shown). The
counterpart for ``fixed.py`` says whether the same thing is gone.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import jax

from jaxlint.verify import compare
from jaxlint.verify.execute import Outcome, Run, run_case
from jaxlint.verify.fixture import Case, FixtureFile, Proof

DOES_NOT_RUN = "should run, "  # begins what `mended` says of a fixed case that raises
_TRACER_TEXT = re.compile(r"Traced<|\w*Tracer[(<]")


@dataclass(frozen=True)
class Shown:
    """Result of trying one proof."""

    problem: str | None = None
    note: str | None = None  # a figure, or the way in which it was shown
    error: BaseException | None = None  # what was raised, where that is the proof


def show(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run = run_case) -> Shown:
    """Run a case of ``bad.py`` and see whether it does what ``proof`` says; ``run`` may keep what a case gives."""
    return _SHOW[proof.kind](fixture, case, proof, code, run)


def _raises(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run) -> Shown:
    outcome = run(fixture, case)
    if outcome.error is None or type(outcome.error).__name__ not in proof.names:
        return Shown(f"should raise {'|'.join(proof.names)}, {outcome}")
    rows = failing_rows(fixture, case, proof, code)
    if not rows:
        return Shown("`later` needs the line: `at LINE`, `at run` or a `# raises here` comment")
    if outcome.row not in rows:
        expected = ", ".join(map(str, sorted(rows)))
        return Shown(f"{outcome}; the line should be {expected}")
    return Shown(error=outcome.error)


def failing_rows(fixture: FixtureFile, case: Case, proof: Proof, code: str) -> set[int]:
    """Rows on which an error counts as the one the rule speaks of."""
    if proof.at == "run":
        return {case.run_row}
    if proof.at is not None:
        return {int(proof.at)}
    marked = {row for row in fixture.raises_here if case.start <= row < case.end}
    if marked or proof.later:
        return marked
    flagged = fixture.expected_in(case, code) or fixture.expected_in(case)
    rows: set[int] = set()
    for expectation in flagged:
        rows |= statement_rows(fixture.text, expectation.row)
    return rows


def statement_rows(text: str, row: int) -> set[int]:
    """Rows of the statement that ``row`` belongs to; of a compound statement, those of no inner one."""
    return {row}.union(*(own for own in _rows_of_statements(text) if row in own))


@lru_cache(maxsize=4)
def _rows_of_statements(text: str) -> list[frozenset[int]]:
    """Of each statement the rows that belong to no inner one, and the row it begins at."""
    result = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.stmt):
            continue
        first = min([node.lineno] + [each.lineno for each in getattr(node, "decorator_list", [])])
        own = set(range(first, (node.end_lineno or first) + 1))
        for inner in ast.walk(node):
            if isinstance(inner, ast.stmt) and inner is not node:
                own -= set(range(inner.lineno, (inner.end_lineno or inner.lineno) + 1))
        own.add(node.lineno)
        result.append(frozenset(own))
    return result


def _differs(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run) -> Shown:
    transformed = run(fixture, case)
    plain = reference(fixture, case)
    for name, outcome in (("the run", transformed), ("the plain call", plain)):
        if outcome.error is not None:
            return Shown(f"{name} should give a value, {outcome}")
    if compare.difference(transformed.value, plain.value) is None:
        return Shown(f"the transformed and the plain call both give {plain.value!r}")
    return Shown()


def _retraces(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run) -> Shown:
    outcome = run_case(fixture, case, count_traces=True)
    if outcome.error is not None:
        return Shown(f"should run, {outcome}")
    if outcome.traces != proof.count:
        return Shown(f"traces {outcome.traces} times, not {proof.count}")
    return Shown(note=f"line {case.start}: traced {outcome.traces} times")


def _prints(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run) -> Shown:
    outcome = run(fixture, case)
    if outcome.error is not None:
        return Shown(f"should run, {outcome}")
    return Shown(None if _TRACER_TEXT.search(outcome.output) else f"prints no tracer, but {outcome.output!r}")


def leak(outcome: Outcome) -> bool:
    """Whether a run, made under ``jax.checking_leaks``, shows that a tracer got out."""
    if outcome.error is None:
        return compare.tracers(outcome.value) > 0
    return "Leaked trace" in str(outcome.error) or type(outcome.error).__name__ == "UnexpectedTracerError"


@contextlib.contextmanager
def _checking_leaks() -> Iterator[None]:
    """JAX's leak checker, which asks the garbage collector who holds a tracer: only what is new can, and all else is put aside."""
    gc.freeze()
    try:
        with jax.checking_leaks():
            yield
    finally:
        gc.unfreeze()


def _leaks(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run) -> Shown:
    plain = run(fixture, case)
    checked = run_case(fixture, case, within=_checking_leaks)
    return Shown(None if leak(plain) or leak(checked) else f"no tracer leaks; {checked}")


def _reuses(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run) -> Shown:
    checked = run_case(fixture, case, within=lambda: jax.debug_key_reuse(True))
    if type(checked.error).__name__ == "KeyReuseError":
        return Shown()
    outcome = run(fixture, case)
    if outcome.error is not None:
        return Shown(f"should run, {outcome}")
    if not compare.repeated(outcome.value):
        return Shown(f"JAX's key checker is silent and no two draws are equal; {outcome}")
    return Shown(note=f"line {case.start}: shown by equal draws")


def _warns(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run) -> Shown:
    outcome = run(fixture, case)
    if outcome.error is not None:
        return Shown(f"should run, {outcome}")
    found = [each for each in outcome.warnings if each.category.__name__ in proof.names]
    if not found:
        seen = sorted({each.category.__name__ for each in outcome.warnings}) or ["nothing"]
        return Shown(f"should warn {'|'.join(proof.names)}, warned {', '.join(seen)}")
    # A warning is attributed to the fixture only where JAX's stack level allows it.
    rows = {each.lineno for each in found if each.filename == str(fixture.path)}
    expected = failing_rows(fixture, case, proof, code)
    if rows and expected and not rows & expected:
        return Shown(f"warns at line {min(rows)}; the line should be {', '.join(map(str, sorted(expected)))}")
    return Shown()


def _measured(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run) -> Shown:
    outcome = run(fixture, case)
    if outcome.error is not None or isinstance(outcome.value, bool) or not isinstance(outcome.value, (int, float)):
        return Shown(f"`measured` needs a `# run:` that gives a number, {outcome}")
    return Shown(note=f"line {case.start}: {proof.text}: {outcome.value:g}")


def _style(fixture: FixtureFile, case: Case, proof: Proof, code: str, run: Run) -> Shown:
    outcome = run(fixture, case)
    return Shown(None if outcome.error is None else f"should run, {outcome}")


_SHOW = {
    "raises": _raises,
    "differs": _differs,
    "retraces": _retraces,
    "prints": _prints,
    "leaks": _leaks,
    "reuses": _reuses,
    "warns": _warns,
    "measured": _measured,
    "style": _style,
}


def reference(fixture: FixtureFile, case: Case) -> Outcome:
    """What the case should give: its ``# reference:``, else the run without compilation."""
    if case.reference is not None:
        return run_case(fixture, case, expression=case.reference, expression_row=case.reference_row)
    return run_case(fixture, case, within=jax.disable_jit)


def mended(bad: FixtureFile, case: Case, fixed: FixtureFile, fixed_case: Case, run: Run = run_case) -> list[str]:
    """Why the fixed case does not run as it should under the same transform; empty if it does."""
    proof = case.proofs[0] if case.proofs else None
    kind = proof.kind if proof else "raises"
    if kind in ("retraces", "measured"):
        outcome = run_case(fixed, fixed_case, count_traces=kind == "retraces")
    else:
        outcome = run(fixed, fixed_case)
    if outcome.error is not None:
        return [f"{DOES_NOT_RUN}{outcome}"]
    if kind == "reuses":
        return _keys_mended(bad, case, fixed, fixed_case, outcome, run)
    problems = _gone(proof, bad, case, fixed, fixed_case, outcome) if proof else []
    if kind == "measured":
        return problems
    wanted = _fixed_reference(bad, case, fixed, fixed_case)
    if wanted.error is not None:
        if case.before is not None and case.reference is None:
            return problems  # the value is that of the older release, where this one is not
        return problems + [f"there is nothing to compare with: the plain call {wanted}; write a `# reference:`"]
    found = compare.difference(outcome.value, wanted.value)
    return problems + ([f"the value differs from the reference: {found}"] if found else [])


def _fixed_reference(bad: FixtureFile, case: Case, fixed: FixtureFile, fixed_case: Case) -> Outcome:
    """The reference of a fix.

    A written one is evaluated beside the fixed code, where it stands too and where no hazard keeps
    the module from being executed.
    """
    if fixed_case.reference is not None:
        return reference(fixed, fixed_case)
    return reference(bad, case)


def _gone(
    proof: Proof, bad: FixtureFile, case: Case, fixed: FixtureFile, fixed_case: Case, outcome: Outcome
) -> list[str]:
    """Whether a silent hazard still shows in the fixed case."""
    if proof.kind == "retraces" and outcome.traces >= proof.count:
        return [f"still traces {outcome.traces} times"]
    if proof.kind == "prints" and _TRACER_TEXT.search(outcome.output):
        return [f"still prints a tracer: {outcome.output!r}"]
    if proof.kind == "leaks":
        checked = run_case(fixed, fixed_case, within=_checking_leaks)
        return [f"a tracer still leaks: {checked}"] if leak(checked) else []
    if proof.kind == "warns":
        still = [each for each in outcome.warnings if each.category.__name__ in proof.names]
        return [f"still warns: {still[0].message}"] if still else []
    if proof.kind == "measured":
        before = run_case(bad, case).value
        if not isinstance(outcome.value, (int, float)) or not outcome.value < before:
            return [f"{proof.text} is {outcome.value!r}, and was {before!r}"]
    return []


def _keys_mended(
    bad: FixtureFile, case: Case, fixed: FixtureFile, fixed_case: Case, outcome: Outcome, run: Run
) -> list[str]:
    checked = run_case(fixed, fixed_case, within=lambda: jax.debug_key_reuse(True))
    problems = [f"under JAX's key checker it {checked}"] if checked.error is not None else []
    again = compare.repeated(outcome.value)
    if again:
        problems.append(f"{again} in {outcome.value!r}")
    wanted = _fixed_reference(bad, case, fixed, fixed_case) if case.reference else run(bad, case)
    if wanted.error is not None:
        return problems + [f"there is nothing to compare with: the original {wanted}; write a `# reference:`"]
    found = compare.same_form(outcome.value, wanted.value)
    return problems + ([f"the draws have another form than in the original: {found}"] if found else [])
