"""The programs of fixtures, run where another release of JAX is installed: ``python -m jaxlint.verify.programs``.

Reads requests from stdin and prints an answer to each, lines of JSON. Needs jax and numpy and of this
project nothing that reads Python: what is expected is said by the comments of the fixtures, and
values are sent back to be compared.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import jax

from jaxlint.verify import place, portable, proofs
from jaxlint.verify.execute import Outcome, run_case
from jaxlint.verify.fixture import Case, FixtureError, FixtureFile

SECONDS = 600  # for one file


def answer(request: dict[str, str]) -> dict[str, Any]:
    """What the cases of one ``bad*.py`` and of the ``fixed*.py`` beside it do here."""
    try:
        bad = FixtureFile.read(Path(request["bad"]))
        fixed = FixtureFile.read(Path(request["fixed"])) if Path(request["fixed"]).exists() else None
    except FixtureError as error:
        return {"place": place.here(), "died": str(error)}
    mended = {case.key: case for case in fixed.cases} if fixed else {}
    cases = [_case(bad, case, fixed, mended.get(case.key), request["code"]) for case in bad.cases]
    return {"place": place.here(), "cases": cases}


def _case(
    bad: FixtureFile, case: Case, fixed: FixtureFile | None, fixed_case: Case | None, code: str
) -> dict[str, Any]:
    said: dict[str, Any] = {"row": case.run_row or case.start, "proof": [], "fixed": [], "notes": []}
    missing = _missing_packages(bad.program(case))
    if missing:
        said["skipped"] = f"{', '.join(missing)} is not installed there"
        return said
    if case.before is not None and place.release(case.before) == place.release(jax.__version__):
        outcome = run_case(bad, case)
        if outcome.error is not None:
            said["proof"].append(f"should run, as `# before:` says, {outcome}")
        else:
            said["value"] = _encoded(outcome)
        return said
    speaking = [proof for proof in case.proofs if place.speaks(case, proof) and _can_show(proof.kind)]
    for proof in speaking:
        shown = proofs.show(bad, case, proof, code)
        said["proof"] += [shown.problem] if shown.problem else []
        said["notes"] += [shown.note] if shown.note else []
    if len(speaking) < len(case.proofs):
        said["skipped"] = "not claimed of this release"
    elif fixed is not None and fixed_case is not None:
        said["fixed"] = proofs.mended(bad, case, fixed, fixed_case)
        if case.before is not None:
            said["value"] = _encoded(run_case(fixed, fixed_case))
    return said


def _encoded(outcome: Outcome) -> dict[str, Any] | None:
    """The value of a run, wrapped, so that None is a value too; None where there is none."""
    return {"is": portable.encode(outcome.value)} if outcome.error is None else None


def _can_show(kind: str) -> bool:
    return kind != "reuses" or hasattr(jax, "debug_key_reuse")  # the key checker came with 0.4.26


def _missing_packages(program: str) -> list[str]:
    names = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return sorted(name for name in names if importlib.util.find_spec(name) is None)


def _forked(request: dict[str, str]) -> dict[str, Any]:
    """The answer of a process of its own: what one file does to JAX or Python is not seen by the next."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(SECONDS)
        try:
            with os.fdopen(writing, "w", encoding="utf-8") as pipe:
                pipe.write(json.dumps(answer(request)))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if text else {"died": f"{request['bad']}: the process ended with status {status}"}


def main() -> int:
    # Fixtures print, native code too; the answers go to the stdout of before, everything else to stderr.
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(os.fdopen(os.dup(1), "w", encoding="utf-8"))
        os.dup2(2, 1)
        for line in sys.stdin:
            request = json.loads(line)
            output.write(json.dumps(_forked(request) if hasattr(os, "fork") else answer(request)) + "\n")
            output.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
