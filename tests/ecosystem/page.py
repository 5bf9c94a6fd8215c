"""The page docs/ecosystem.md: what follows from the ledger, in tables.

    python tests/ecosystem/page.py          writes it
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import PurePosixPath
from typing import Iterable

import ledger
from ledger import Entry

sys.path.insert(0, str(ledger.HERE.parent.parent))

from jaxlint.rules import find  # noqa: E402

PAGE = ledger.HERE.parents[1] / "docs" / "ecosystem.md"
MIGRATION = "JAX8"
REUSE = {"JAX401", "JAX402", "JAX403", "JAX404"}

INTRODUCTION = """\
# Findings in real code

The packages that `tests/ecosystem/requirements.txt` pins are linted from their sdists, with the examples, tests and
notebooks in them, by the default rules. Every finding has been read, and has one of three verdicts:

{verdicts}

*Right* is the share of findings whose message is right; a key that is reused in a test without harm counts as wrong
there. *Of use* is the share of true ones. Whether a name is really gone or deprecated is asked of JAX itself.

`python tests/ecosystem/run.py` downloads the packages, lints them and prints what differs from the ledger.
`python tests/ecosystem/page.py` writes this page from it.
"""


def in_test(entry: Entry) -> bool:
    path = PurePosixPath(entry.path)
    return bool({"tests", "test"} & set(path.parts[:-1])) or re.match(r"test_|.*_test\.py$", path.name) is not None


def right(entries: Iterable[Entry]) -> int:
    """How many messages are right; in tests a reused key has to do harm."""
    return sum(
        entry.verdict == "true" or (entry.verdict == "harmless" and not (entry.code in REUSE and in_test(entry)))
        for entry in entries
    )


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def rules(entries: Iterable[Entry]) -> str:
    """The table of findings by rule and verdict, with totals."""
    by_rule: dict[str, list[Entry]] = {}
    for entry in entries:
        by_rule.setdefault(entry.code, []).append(entry)
    rows = [(f"{code} {find(code).name}", found) for code, found in sorted(by_rule.items())]
    every = [entry for _, found in rows for entry in found]
    outside = [entry for entry in every if not entry.code.startswith(MIGRATION)]
    lines = ["| rule | findings | true | harmless | false | right | of use |", "|---|--:|--:|--:|--:|--:|--:|"]
    for name, found in [*rows, (f"all but {MIGRATION}xx", outside), ("all", every)]:
        counts = Counter(entry.verdict for entry in found)
        cells = [name, len(found), *(counts[verdict] for verdict in ledger.VERDICTS)]
        cells += [share(right(found), len(found)), share(counts["true"], len(found))]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def packages(entries: Iterable[Entry]) -> str:
    by_package: dict[str, Counter[str]] = {}
    for entry in entries:
        by_package.setdefault(entry.package, Counter())[entry.verdict] += 1
    lines = ["| package | files | notebooks | findings | true | harmless | false |", "|---|--:|--:|--:|--:|--:|--:|"]
    summary = ledger.read_summary()
    for each in summary:
        lines.append(_package(f"{each.package} {each.version}", each.files, each.notebooks, by_package.get(each.package, Counter())))
    total = sum(by_package.values(), Counter())
    name = f"{len(summary)} packages"
    lines.append(_package(name, sum(each.files for each in summary), sum(each.notebooks for each in summary), total))
    return "\n".join(lines) + "\n"


def _package(name: str, files: int, notebooks: int, counts: Counter[str]) -> str:
    verdicts = " | ".join(str(counts[verdict]) for verdict in ledger.VERDICTS)
    return f"| {name} | {files} | {notebooks} | {counts.total()} | {verdicts} |"


def wild(entries: Iterable[Entry]) -> str:
    """The true findings that are not about names, by package."""
    lines = []
    package = ""
    for entry in sorted(entries):
        if entry.verdict == "true" and not entry.code.startswith(MIGRATION):
            if entry.package != package:
                package = entry.package
                lines += ["", f"**{package} {entry.version}**", ""]
            lines.append(f"- `{entry.path}:{entry.line}` {entry.code}: {entry.reason}")
    return "\n".join(lines[1:]) + "\n"


def text(entries: list[Entry]) -> str:
    *most, last = (f"- *{verdict}*: {meaning}" for verdict, meaning in ledger.VERDICTS.items())
    return "\n".join((
        INTRODUCTION.format(verdicts=";\n".join([*most, f"{last}."])),
        "## By rule\n", rules(entries),
        "## By package\n", packages(entries),
        "## Every true finding\n",
        f"What is true, and no matter of names that went out of use ({MIGRATION}xx); [the most important](found-in-the-wild.md)\n"
        "with what to write instead. The line of a notebook is that of the file.\n",
        wild(entries),
    ))  # fmt: skip


def write() -> None:
    PAGE.write_text(text(ledger.read()), encoding="utf-8")


if __name__ == "__main__":
    write()
