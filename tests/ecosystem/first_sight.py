"""Lint packages that jaxlint has never been run on, and write every finding down for somebody to judge.

    python tests/ecosystem/first_sight.py PACKAGE ... [--folder FOLDER] [--jobs N]

The newest sdist of each package is linted with the default rules, as its authors would in its root. The *look* is added
to first_sight.json: the date, the commit of jaxlint, the packages, and the findings, each with the verdict "unread",
which is then replaced by hand, by one who has read the code. The messages are kept beside the sources. A package of
requirements.txt, of oracle.txt, of seen.txt or of an earlier look is refused: it has been seen. ``page.py`` writes the figures.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import ledger
import sources
from ledger import Entry
from oracle_packages import pins

LOOKS = ledger.HERE / "first_sight.json"
SEEN = ledger.HERE / "seen.txt"
ROOT = ledger.HERE.parents[1]


@dataclass(frozen=True)
class Package:
    """A package of a look: its pin, and what was read of it."""

    package: str
    version: str
    sha256: str
    files: int
    notebooks: int


@dataclass
class Look:
    """One look at packages that were new to jaxlint, at one commit of it."""

    date: str
    commit: str  # the last one that changed the linter
    seconds: int  # for all packages, in one process
    packages: list[Package]
    entries: list[Entry] = field(default_factory=list)


def read() -> list[Look]:
    """The looks, oldest first."""
    if not LOOKS.exists():
        return []
    return [
        Look(
            each["date"], each["commit"], each["seconds"],
            [Package(**package) for package in each["packages"]],
            [Entry(**entry) for entry in each["entries"]],
        )
        for each in json.loads(LOOKS.read_text(encoding="utf-8"))
    ]  # fmt: skip


def dump(looks: list[Look]) -> str:
    """The looks as JSON, a package and a finding a line."""
    parts = []
    for look in looks:
        packages = sorted(look.packages, key=lambda each: each.package)
        head = json.dumps({"date": look.date, "commit": look.commit, "seconds": look.seconds})[:-1]
        parts.append(f'{head},\n"packages": {_list(packages)},\n"entries": {_list(sorted(look.entries))}}}')
    return "[\n" + ",\n".join(parts) + "\n]\n"


def _list(rows: list[Package] | list[Entry]) -> str:
    return "[\n" + ",\n".join(json.dumps(asdict(row), ensure_ascii=False) for row in rows) + "\n]"


def write(looks: list[Look]) -> None:
    LOOKS.write_text(dump(looks), encoding="utf-8")


def seen() -> set[str]:
    """The packages whose findings somebody has looked at before, by their names on the index."""
    lines = SEEN.read_text(encoding="utf-8").splitlines()
    named = {line for line in lines if line and not line.startswith("#")}
    return named | set(pins()) | {package.package for look in read() for package in look.packages}


def commit() -> str:
    """The last commit that changed the linter. Raises SystemExit where it has changes that are not committed."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    changed = git("status", "--porcelain", "--", "jaxlint")
    if changed:
        sys.exit(f"a look is taken with a committed state of jaxlint; these files are changed:\n{changed}")
    return git("log", "-1", "--format=%h", "--", "jaxlint")


def main() -> None:
    import run  # imports the whole linter; reading and writing looks needs none of it

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="+", metavar="PACKAGE", help="a name on the index")
    parser.add_argument(
        "--folder", type=Path, default=sources.default_folder(), help="where sources are kept (default: %(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="worker processes (default: 1)")
    args = parser.parse_args()
    known = sorted(seen() & set(args.packages))
    if known:
        parser.error(f"already seen: {', '.join(known)}; a look is taken at packages that are new")
    look = Look(datetime.date.today().isoformat(), commit(), 0, [])
    folder = args.folder.resolve()
    pins = sources.newest(args.packages)
    places = sources.fetch(pins, folder)
    start = time.perf_counter()
    for pin in pins:
        checked = run.check(pin, places[pin.package], args.jobs)
        run.keep(checked, folder)
        run.compare(checked, [])
        look.packages.append(Package(pin.package, pin.version, pin.sha256, checked.read.files, checked.read.notebooks))
        look.entries += checked.entries
    look.seconds = round(time.perf_counter() - start)
    write([*read(), look])


if __name__ == "__main__":
    main()
