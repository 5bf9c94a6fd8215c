"""Measure a convention on working code: lint it with and without the convention, and print what appears.

    python tests/ecosystem/presumption.py FOLDER ... [--convention NAME] [--jobs N] [--list]

Each folder is linted as ``jaxlint check --no-cache`` does in its root. The code works, so that a report which only the
convention gives is a false positive unless reading it shows a hazard. ``--list`` prints those reports with their lines.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover
from jaxlint.project.custom_names import PRESUMABLE
from jaxlint.run.runner import Job, run
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.reading import read_source


class Linted(NamedTuple):
    """The reports in one folder, and the number of functions that the convention covers there."""

    diagnostics: list[Diagnostic]
    covered: int
    seconds: float


class Measured(NamedTuple):
    """One folder: ``added`` are the reports that only the convention gives, ``gone`` those that it takes away."""

    folder: str
    covered: int
    added: list[Diagnostic]
    gone: list[Diagnostic]
    ratio: float  # of the times with and without the convention


def lint(folder: str, presume: list[str], jobs: int) -> Linted:
    os.chdir(folder)
    configs = Configs({"presume": presume})
    start = time.process_time()
    outcomes = run([Job(path, configs.for_file(path)) for path in discover(["."], configs).files], jobs)
    diagnostics = [each for outcome in outcomes for each in outcome.diagnostics]
    return Linted(diagnostics, sum(outcome.presumed for outcome in outcomes), time.process_time() - start)


def measure(folder: str, convention: str, jobs: int) -> Measured:
    without, given = lint(folder, [], jobs), lint(folder, [convention], jobs)
    before = {(each.filename, each.start, each.code) for each in without.diagnostics}
    after = {(each.filename, each.start, each.code) for each in given.diagnostics}
    added = [each for each in given.diagnostics if (each.filename, each.start, each.code) not in before]
    gone = [each for each in without.diagnostics if (each.filename, each.start, each.code) not in after]
    return Measured(folder, given.covered, added, gone, given.seconds / max(without.seconds, 0.01))


def show(measured: Measured, listed: bool) -> None:
    added, gone = len(measured.added), len(measured.gone)
    print(
        f"{os.path.basename(measured.folder)}: {measured.covered} functions, {added} reports added, {gone} gone, time {measured.ratio:.2f}x",
        flush=True,
    )
    for sign, diagnostics in (("+", measured.added), ("-", measured.gone)) if listed else ():
        for each in diagnostics:
            line = read_source(each.filename).line(each.start.row).strip()
            print(f"  {sign} {each.filename}:{each.start.row}: {each.code} {each.message}\n        {line}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--convention", choices=list(PRESUMABLE), default="modules")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the reports, with their lines")
    args = parser.parse_args()
    total = added = 0
    for folder in list(map(os.path.abspath, args.folder)):  # before the first of them is entered
        measured = measure(folder, args.convention, args.jobs)
        show(measured, args.list)
        total, added = total + measured.covered, added + len(measured.added)
    print(f"{len(args.folder)} folders, {total} functions, {added} reports added")
    return 0


if __name__ == "__main__":
    sys.exit(main())
