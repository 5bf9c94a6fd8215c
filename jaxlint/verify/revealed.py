"""Fixtures of the semantic model: ``reveal(x)  # revealed: traced staged``.

The comment is compared with the model, and the same claim with what ``x`` is when the file runs.
``python -m jaxlint.verify.revealed ROOT`` prints one line of JSON for all files.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import jax
import numpy as np

from jaxlint.verify.claims import check_claims, reveal_calls
from jaxlint.verify.execute import run_case
from jaxlint.verify.fixture import Case, Claim, FixtureFile
from jaxlint.verify.folders import model_files


def check_model_file(path: Path) -> list[str]:
    """What is wrong with one file: the model, the run, or the comments."""
    fixture = FixtureFile.read(path)
    asked = reveal_calls(fixture.linted)
    problems = check_claims(path)
    seen, errors = _run(fixture)
    problems += errors
    for row in sorted(set(asked) & set(fixture.revealed)):
        found = _run_problem(fixture.revealed[row], seen.get(row, []))
        problems += [f"{path}:{row}: {found}"] if found else []
    return problems


def _run(fixture: FixtureFile) -> tuple[dict[int, list[Any]], list[str]]:
    """What every ``reveal`` was given, by row, and the errors of cases that do not run."""
    seen: dict[int, list[Any]] = defaultdict(list)

    def reveal(value: Any) -> Any:
        frame = sys._getframe(1)
        seen[frame.f_lineno].append(fact(value))
        return value

    errors = []
    for case in fixture.cases or [Case(start=1, body=1, end=fixture.text.count("\n") + 2)]:
        outcome = run_case(fixture, case, names={"reveal": reveal})
        declared = {name for proof in case.proofs for name in proof.names}
        if outcome.error is not None and type(outcome.error).__name__ not in declared:
            errors.append(f"{fixture.path}:{case.run_row or case.start}: should run, {outcome}")
    return seen, errors


def fact(value: Any) -> str:
    """What a value is at run time: abstract, differentiated, concrete, host or other."""
    if isinstance(value, jax.core.Tracer):
        # The tracers of differentiation carry the value they stand for; it may be a tracer itself.
        primal = getattr(value, "primal", None)
        if primal is not None:
            return fact(primal) if isinstance(primal, jax.core.Tracer) else "differentiated"
        return "abstract"
    if isinstance(value, jax.Array):
        return "concrete"
    return "host" if isinstance(value, (np.ndarray, np.generic)) else "other"


_TRACED = {"abstract", "differentiated"}
_FITTING = {
    "const": {"other", "host"},
    "static": {"other", "host", "concrete"},
    "concrete": {"concrete"},
    "host": {"host", "other"},
    "traced": _TRACED,
    "undecided": _TRACED | {"other"},
    "ref": {"other"},
    "unknown": _TRACED | {"concrete", "host", "other"},
}


def _run_problem(claims: tuple[Claim, ...], facts: list[str]) -> str | None:
    """Whether each claim was seen at run time and nothing was seen that no claim covers."""
    if not facts:
        return "is never executed; add a `# run:` that reaches it"
    for claim in claims:
        if not set(facts) & _fitting(claim, len(claims)):
            return f"is claimed to be {claim.value} {claim.cls or ''}".rstrip() + f", and is {_list(facts)}"
    for seen in set(facts):
        if not any(seen in _fitting(claim, len(claims)) for claim in claims):
            return f"is {seen} at run time, which no claim covers"
    return None


def _fitting(claim: Claim, alternatives: int) -> set[str]:
    if claim.value != "traced" or claim.cls is None:
        return _FITTING[claim.value]
    if claim.cls == "differentiated":
        # Of several activations one may be inside the other: grad under jit is abstract.
        return {"differentiated"} if alternatives == 1 else _TRACED
    return {"abstract"}


def _list(facts: list[str]) -> str:
    return ", ".join(sorted(set(facts)))


def main(root: Path) -> int:
    files = model_files(root)
    failures = [problem for path in files for problem in check_model_file(path)]
    count = sum(len(FixtureFile.read(path).revealed) for path in files)
    print(json.dumps({"summary": f"{count} revealed values in {len(files)} files", "failures": failures}))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
