"""Lint the sdists of real packages, with their tests, examples and notebooks, and compare with the ledger.

    python tests/ecosystem/run.py [PACKAGE ...] [--folder FOLDER] [--jobs N] [--record]

Downloads what requirements.txt pins, once, lints each package with the default rules as its authors
would in its root, and prints every finding that the ledger does not have, or has no more. Exits with
1 where anything differs, or where jaxlint failed. ``--record`` brings the ledger and the page of it
up to date: new findings get the verdict "unread", which is then to be replaced by hand, by one who
has read the code (``names.py`` does so for names that a release of JAX lacks).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

import ledger
import page
import sources
from ledger import Entry, Read
from sources import Pin

sys.path.insert(0, str(ledger.HERE.parent.parent))

from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import discover
from jaxlint.run.runner import Job, run
from jaxlint.source.reading import read_source


@dataclass
class Checked:
    """What came out of one package."""

    read: Read
    entries: list[Entry] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)  # of the entries, in their order
    failures: list[str] = field(default_factory=list)
    cut_short: list[str] = field(default_factory=list)
    seconds: float = 0.0


def check(pin: Pin, folder: Path, jobs: int) -> Checked:
    """Lint one package, as ``jaxlint check --no-cache .`` does in its root."""
    os.chdir(folder)
    configs = Configs()
    found = discover(["."], configs)
    start = time.perf_counter()
    outcomes = run([Job(path, configs.for_file(path)) for path in found.files], jobs)
    notebooks = sum(path.endswith(".ipynb") for path in found.files)
    checked = Checked(Read(pin.package, pin.version, len(found.files), notebooks), seconds=time.perf_counter() - start)
    checked.failures += map(str, found.problems)
    pairs = []
    for outcome in outcomes:
        path = os.path.relpath(outcome.filename).replace(os.sep, "/")
        checked.cut_short += [f"{path}: {place}" for place in outcome.budget_reached]
        reported = [each for each in outcome.diagnostics if each.code not in ("JAX900", "JAX902")]
        checked.failures += [f"{path}: {each.message}" for each in outcome.diagnostics if each.code == "JAX902"]
        source = read_source(path) if reported else None
        for each in reported:
            line = source.line(each.start.row) if source is not None else ""
            row = source.file_row(each.start.row) if source is not None else each.start.row
            why = "".join(
                f"; {step.message} ({os.path.relpath(step.filename)}:{step.start.row})" for step in each.related
            )
            entry = Entry(pin.package, pin.version, path, row, each.code, ledger.content(line))
            pairs.append((entry, each.message + why))
    pairs.sort()
    checked.entries, checked.messages = [entry for entry, _ in pairs], [message for _, message in pairs]
    return checked


def keep(checked: Checked, folder: Path) -> None:
    """Write what was found, with its messages, beside the sources, for whoever judges it."""
    rows = [{**asdict(entry), "message": message} for entry, message in zip(checked.entries, checked.messages)]
    (folder / f"{checked.read.package}.findings.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


def compare(checked: Checked, known: list[Entry]) -> bool:
    """Print what came out of a package; whether all is as the ledger has it."""
    read = checked.read
    print(f"{read.package} {read.version}: {read.files} files, {read.notebooks} of them notebooks, in {checked.seconds:.0f} s; "
          f"{len(checked.failures)} internal errors; {len(checked.cut_short)} budgets reached; {len(checked.entries)} findings",
          flush=True)  # fmt: skip
    new, gone = ledger.difference(checked.entries, known)
    message = dict(zip(checked.entries, checked.messages))
    for line in checked.failures:
        print(f"  internal error: {line}")
    for entry in new:
        print(f"  new: {entry.path}:{entry.line}: {entry.code} {message[entry]}")
    for entry in gone:
        print(f"  gone: {entry.path}:{entry.line}: {entry.code} ({entry.verdict}: {entry.reason})")
    return not (checked.failures or new or gone)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="as in requirements.txt (default: all)")
    parser.add_argument(
        "--folder", type=Path, default=sources.default_folder(), help="where sources are kept (default: %(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="worker processes (default: 1)")
    parser.add_argument("--record", action="store_true", help="bring the ledger and its page up to date")
    args = parser.parse_args()
    pins = sources.pins()
    unknown = [package for package in args.packages if package not in pins]
    if unknown:
        parser.error(f"{sources.REQUIREMENTS.name} has no {', '.join(unknown)}; it has {', '.join(pins)}")
    chosen = [pins[package] for package in args.packages or pins]
    folder = args.folder.resolve()
    places = sources.fetch(chosen, folder)
    good, found = True, []
    for pin in chosen:
        checked = check(pin, places[pin.package], args.jobs)
        keep(checked, folder)
        known = [entry for entry in ledger.read() if entry.package == pin.package]
        good &= compare(checked, known)
        found += ledger.judged(checked.entries, known)
        if args.record:
            ledger.write(
                [entry for entry in ledger.read() if entry.package != pin.package]
                + ledger.judged(checked.entries, known)
            )
            ledger.write_summary(
                [each for each in ledger.read_summary() if each.package != pin.package] + [checked.read]
            )
    print(f"\n{page.rules(found)}")
    unread = Counter(entry.code for entry in found if entry.verdict == ledger.UNREAD)
    if unread:
        print("unread: " + ", ".join(f"{code} {count}" for code, count in sorted(unread.items())))
    elif args.record:
        page.write()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
