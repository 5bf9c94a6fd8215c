"""Lint the installed sources of real packages and compare with the ledger.

    python tests/ecosystem/run.py [PACKAGE ...] [--jobs N] [--record]

Prints, for each package, what was read and what was not, and every finding that the ledger does not
have or has no more. Exits with 1 where anything differs, where jaxlint failed, or where a file was
passed over that mentions JAX. ``--record`` brings the ledger up to date: new findings get the
verdict "unread", which is then to be replaced by hand, by one who has read the code.

The packages are installed by ``pip install -r tests/ecosystem/requirements.txt``.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import ledger
from ledger import Entry

sys.path.insert(0, str(ledger.HERE.parent.parent))

from jaxlint.config import Configs  # noqa: E402
from jaxlint.project import discover  # noqa: E402
from jaxlint.relevance import touches_jax  # noqa: E402
from jaxlint.runner import Job, run  # noqa: E402
from jaxlint.source import Source, SourceError  # noqa: E402

IMPORTED_AS = {"dm-haiku": "haiku"}


@dataclass
class Checked:
    """What came out of one package."""

    package: str
    version: str
    entries: list[Entry] = field(default_factory=list)
    files: int = 0
    irrelevant: int = 0  # files that do not mention JAX, which are passed over
    tests: int = 0  # files in which the rules about keys are off
    left_out: list[str] = field(default_factory=list)  # files that the walk did not come to
    failures: list[str] = field(default_factory=list)
    cut_short: list[str] = field(default_factory=list)
    seconds: float = 0.0


def check(package: str, jobs: int) -> Checked:
    """Lint one package with the default rules, as ``jaxlint check --no-cache FOLDER`` does."""
    distribution = metadata.distribution(package)
    site = Path(str(distribution.locate_file("."))).resolve()
    folder = site / IMPORTED_AS.get(package, package)
    checked = Checked(package, distribution.version)
    os.chdir(site)  # where no project is, globs such as that of test files are relative to the working directory
    configs = Configs()
    configured = configs.for_folder(str(folder)).path
    if configured is not None:
        sys.exit(f"{configured}: its [tool.jaxlint] governs {folder}; install the packages outside of that project")
    found = discover([str(folder)], configs)
    checked.failures += map(str, found.problems)
    checked.files = len(found.files)
    everything = {str(path) for path in folder.rglob("*.py") if path.is_file()}
    checked.left_out = sorted(os.path.relpath(path, site) for path in everything - set(found.files))
    checked.irrelevant = sum(map(is_irrelevant, found.files))
    checked.tests = sum(configs.for_file(path).is_test(path) for path in found.files)
    start = time.perf_counter()
    outcomes = run([Job(path, configs.for_file(path)) for path in found.files], jobs)
    checked.seconds = time.perf_counter() - start
    for outcome in outcomes:
        path = os.path.relpath(outcome.filename, site).replace(os.sep, "/")
        checked.cut_short += [f"{path}: {place}" for place in outcome.budget_reached]
        for finding in outcome.diagnostics:
            if finding.code == "JAX902":
                checked.failures.append(f"{path}: {finding.message}")
            else:
                checked.entries.append(Entry(package, checked.version, path, finding.start.row, finding.code))
    return checked


def is_irrelevant(path: str) -> bool:
    try:
        return not touches_jax(Source.read(path).text)
    except SourceError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="as in requirements.txt (default: all)")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes (default: 1)")
    parser.add_argument("--record", action="store_true", help="bring the ledger up to date")
    args = parser.parse_args()
    pins = ledger.pins()
    unknown = [package for package in args.packages if package not in pins]
    if unknown:
        parser.error(f"{ledger.REQUIREMENTS.name} has no {', '.join(unknown)}; it has {', '.join(pins)}")
    good = True
    results = []
    for package in args.packages or pins:
        try:
            checked = check(package, args.jobs)
        except metadata.PackageNotFoundError:
            print(f"{package}: not installed; pip install -r {ledger.REQUIREMENTS}")
            good = False
            continue
        results.append(checked)
        good &= compare(checked, pins[package])
        if args.record:
            record(checked)
    print_counts("package", {checked.package: Counter(e.verdict for e in judged(checked)) for checked in results})
    by_rule: dict[str, Counter[str]] = {}
    for entry in (entry for checked in results for entry in judged(checked)):
        by_rule.setdefault(entry.code, Counter())[entry.verdict] += 1
    print_counts("rule", by_rule)
    return 0 if good else 1


def judged(checked: Checked) -> list[Entry]:
    """The findings of a package with the verdicts that the ledger has; several on a line keep their number."""
    known: dict[tuple[str, str, str, int, str], list[Entry]] = {}
    for entry in ledger.read():
        known.setdefault(entry.finding, []).append(entry)
    return [known[entry.finding].pop(0) if known.get(entry.finding) else entry for entry in checked.entries]


def compare(checked: Checked, pinned: str) -> bool:
    """Print what came out of a package; whether all is as it should be."""
    print(f"{checked.package} {checked.version}: {checked.files} files read in {checked.seconds:.0f} s, "
          f"{checked.irrelevant} of them passed over as they do not mention JAX, {checked.tests} tests; "
          f"{len(checked.left_out)} not read; {len(checked.failures)} internal errors; "
          f"{len(checked.cut_short)} budgets reached; {len(checked.entries)} findings")  # fmt: skip
    if checked.version != pinned:
        print(f"  the ledger is about version {pinned}: every finding differs")
    entries = judged(checked)
    now = Counter(entry.finding for entry in entries)
    expected = [entry for entry in ledger.read() if entry.package == checked.package]
    gone = []
    for entry in expected:
        if now[entry.finding]:
            now[entry.finding] -= 1
        else:
            gone.append(entry)
    new = [entry for entry in entries if entry.verdict == ledger.UNREAD]
    for title, items in (
        ("not read", checked.left_out),
        ("internal error", checked.failures),
        ("budget reached", checked.cut_short),
        ("new", new),
        ("gone", gone),
    ):
        for item in items:
            print(f"  {title}: {item}")
    return not (checked.left_out or checked.failures or new or gone)


def record(checked: Checked) -> None:
    others = [entry for entry in ledger.read() if entry.package != checked.package]
    ledger.write(others + judged(checked))


def print_counts(title: str, counts: dict[str, Counter[str]]) -> None:
    """Print how many findings have which verdict."""
    verdicts = [*ledger.VERDICTS, ledger.UNREAD]
    print(f"\n{title:<12}" + "".join(f"{verdict:>10}" for verdict in verdicts))
    for name, count in [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]:
        print(f"{name:<12}" + "".join(f"{count[verdict]:>10}" for verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
