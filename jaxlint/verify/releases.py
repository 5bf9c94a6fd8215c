"""``jaxlint verify --jax 0.4.30,0.10.2``: the programs of the fixtures in other releases of JAX.

Each release has an environment of its own, built when it is not there; only the programs run in it.
What the old code gave in the release that its ``# before:`` names is compared here with what the
fixed code gives in the others.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from jaxlint.hazards.rule import Rule
from jaxlint.knowledge.probe import environments
from jaxlint.verify.bless import bad_files, counterpart
from jaxlint.verify.fixture import Case, FixtureFile, lines_of
from jaxlint.verify.folders import folder_of
from jaxlint.verify.results import Report

FOLDER_VARIABLE = "JAXLINT_ENVIRONMENTS"

# Makes this package importable in the other environment, and nothing that is installed beside it.
_START = """
import importlib.util, runpy, sys
spec = importlib.util.spec_from_file_location("jaxlint", {init!r})
module = importlib.util.module_from_spec(spec)
sys.modules["jaxlint"] = module
spec.loader.exec_module(module)
runpy.run_module("jaxlint.verify.programs", run_name="__main__", alter_sys=True)
"""


@dataclass(order=True)
class Moved:
    """A case whose old code ran in an older release: where the fixed code gave the same values."""

    rule: str
    file: str
    case: str  # the flagged line, for people
    run: str
    before: str
    digest: str  # of both programs
    ran: bool = False  # the old code, in that release
    same: dict[str, bool] = field(default_factory=dict)  # release -> same values as the old code


def environments_folder(given: Path | None) -> Path | None:
    """Where environments are kept: as the option says, else the variable, else the default (None)."""
    variable = os.environ.get(FOLDER_VARIABLE)
    return given or (Path(variable) if variable else None)


def verify(
    root: Path, rules: list[Rule], releases: list[str], folder: Path | None, step: Callable[[str], None]
) -> tuple[list[Report], list[Moved]]:
    """The reports of each rule in each release, and what became of the cases with a ``# before:``."""
    pythons = {release: environments.python(release, folder=folder) for release in releases}
    files = {rule.code: bad_files(folder_of(root, rule)) for rule in rules}
    fixtures = {bad: FixtureFile.read(bad) for found in files.values() for bad in found}
    reports = {}
    answers = {}
    for release, python in pythons.items():
        with _programs(python) as ask:
            for rule in rules:
                report = reports[rule.code, release] = _new_report(root, rule, release)
                for bad in files[rule.code]:
                    answers[bad, release] = answer = ask(bad, rule.code)
                    _add(report, bad, answer)
                step(f"{rule.code} {rule.name}, jax {release}")
    moved = []
    for rule in rules:
        its = {release: reports[rule.code, release] for release in releases}
        for bad in files[rule.code]:
            for index, case in enumerate(fixtures[bad].cases):
                if case.before is not None:
                    said = {release: answers[bad, release].get("cases", []) for release in releases}
                    said_of_it = {release: cases[index] for release, cases in said.items() if index < len(cases)}
                    moved.append(_moved(rule.code, fixtures[bad], case, case.before, said_of_it, its))
    return [reports[rule.code, release] for rule in rules for release in releases], moved


def _new_report(root: Path, rule: Rule, release: str) -> Report:
    folder = folder_of(root, rule)
    report = Report(rule.code, rule.name, {"platform": "cpu", "jax": release}, {"proof": [], "fixed": []})
    if not bad_files(folder):
        report.died = f"{folder}: there is no bad.py; a rule exists when it is proven"
    good = folder / "good.py"
    report.facts = len(FixtureFile.read(good).facts) if good.exists() else 0
    return report


def _add(report: Report, bad: Path, answer: dict[str, Any]) -> None:
    report.place = answer.get("place", report.place)
    report.died = report.died or answer.get("died", "")
    for case in answer.get("cases", []):
        report.cases += 1
        report.problems["proof"] += [f"{bad}:{case['row']}: {problem}" for problem in case["proof"]]
        report.problems["fixed"] += [
            f"{counterpart(bad)}: {problem} (`# run:` of {bad.name}:{case['row']})" for problem in case["fixed"]
        ]
        report.notes += case["notes"]
        if "skipped" in case:
            report.skipped.append(f"{bad.name}:{case['row']}: {case['skipped']}")


@contextmanager
def _programs(python: Path) -> Iterator[Callable[[Path, str], dict[str, Any]]]:
    """A process of another environment that is asked for one file after the other."""
    package = Path(__file__).resolve().parents[1]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  read when the process ends
    process = subprocess.Popen(
        [str(python), "-c", _START.format(init=str(package / "__init__.py"))],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
        env={**environment, "JAX_PLATFORMS": "cpu", "PYTHONWARNINGS": "ignore"},
    )  # fmt: skip

    def ask(bad: Path, code: str) -> dict[str, Any]:
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps({"bad": str(bad), "fixed": str(counterpart(bad)), "code": code}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            process.wait()
            errors.seek(0)
            last = "\n".join(errors.read().strip().splitlines()[-8:])
            return {"died": f"{python}: the process ended: {last}"}
        return dict(json.loads(line))

    with errors, process:  # the end of its stdin ends the process
        yield ask


def _moved(
    rule: str, fixture: FixtureFile, case: Case, before: str, said: dict[str, Any], reports: dict[str, Report]
) -> Moved:
    """Compare what the fixed code gave in each release with what the old code gave in ``before``."""
    from jaxlint.verify import compare, portable

    moved = describe(rule, fixture, case, before)
    row = case.run_row or case.start
    old = said.get(before, {}).get("value")
    moved.ran = old is not None
    for release, answer in said.items():
        if before not in said:
            reports[release].notes.append(f"{fixture.path.name}:{row}: before: jax=={before}: not run here")
        new = answer.get("value")
        if release == before or old is None or new is None:
            continue
        found = compare.difference(portable.decode(new["is"]), portable.decode(old["is"]))
        moved.same[release] = found is None
        if found:
            where = f"{counterpart(fixture.path)}: the case of {fixture.path.name}:{row}"
            reports[release].problems["fixed"].append(
                f"{where} gives another value than the old code in jax {before}: {found}"
            )
    return moved


def describe(rule: str, fixture: FixtureFile, case: Case, before: str) -> Moved:
    """A case with a ``# before:`` as it is recorded, before it has run."""
    flagged = fixture.expected_in(case, rule)
    row = flagged[0].row if flagged else case.body
    line = lines_of(fixture.linted)[row - 1].strip() if row <= len(lines_of(fixture.linted)) else ""
    return Moved(rule, fixture.path.name, line, case.run or "", before, digest(fixture, case))


def digest(fixture: FixtureFile, case: Case) -> str:
    """Changes when the old or the fixed code of a case changes; not when it moves to another line."""
    found = hashlib.sha256(_code(fixture, case).encode())
    path = counterpart(fixture.path)
    if path.exists():
        fixed = FixtureFile.read(path)
        for other in fixed.cases:
            if other.key == case.key:
                found.update(_code(fixed, other).encode())
    return found.hexdigest()[:16]


def _code(fixture: FixtureFile, case: Case) -> str:
    return "".join(line for line in lines_of(fixture.program(case)) if line.strip())


# --- what is kept ---------------------------------------------------------------------------------

RECORDED = Path(__file__).with_name("moved.json")


def recorded(path: Path = RECORDED) -> list[Moved]:
    return [Moved(**row) for row in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []


def record(found: Iterable[Moved], rules: Iterable[str], path: Path = RECORDED) -> list[Moved]:
    """Keep what was found of ``rules``, beside what is kept of others; one case a line."""
    proven = set(rules)
    rows = sorted([each for each in recorded(path) if each.rule not in proven] + list(found))
    lines = [json.dumps(asdict(row), ensure_ascii=False) for row in rows]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n", encoding="utf-8")
    return rows


def markdown(rows: list[Moved]) -> str:
    """The table of the documentation."""
    releases = sorted({release for row in rows for release in row.same}, key=_numbers)
    heading = " | ".join(f"same values on {release}" for release in releases)
    lines = [f"| rule | old code | ran on | {heading} |", "|---|---|---|" + "---|" * len(releases)]
    for row in rows:
        cells = " | ".join({True: "yes", False: "no", None: ""}[row.same.get(release)] for release in releases)
        code = row.case.replace("|", "\\|")
        lines.append(f"| {row.rule} | `{code}` | {row.before if row.ran else f'not run on {row.before}'} | {cells} |")
    return "\n".join(lines) + "\n"


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]
