"""The page docs/ecosystem.md: what follows from the ledger and from the looks at new packages, in tables.

python tests/ecosystem/page.py          writes it
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable

import first_sight
import ledger
from first_sight import Look, Package
from ledger import Entry, Read

sys.path.insert(0, str(ledger.HERE.parent.parent))

from jaxlint.hazards.registry import all_rules, find

PAGE = ledger.HERE.parents[1] / "docs" / "ecosystem.md"
MIGRATION = "JAX8"
VERDICTS = " | ".join(ledger.VERDICTS)

INTRODUCTION = """\
# Findings in real code

jaxlint is run with its default rules over the sdists of released packages, with their examples, tests and notebooks.
Somebody has read the code at every finding. There are three verdicts:

{verdicts}

*Right* is the share of findings that are not false. *Of use* is the share of true ones. The rules of {migration}xx, on
names that JAX and its libraries have removed or deprecated, are counted apart: they are easy to get right, and there are
many of them in old code.
"""

FIRST_SIGHT = """\
## At first sight

On {date}, jaxlint at commit {commit} linted {count} packages from the index that it had never been run on: training
code, reinforcement learning, generative models and research code, {files} files ({notebooks} notebooks), in {seconds} s.
The verdicts were given before anything was fixed. **{right} of the findings are right and {use} of use; without
{migration}xx, {right_outside} are right and {use_outside} of use.** Code that jaxlint has not seen gets figures like
these, not those of the packages below, to which the rules were fitted. The packages {most} have {part} of the findings.

`python tests/ecosystem/first_sight.py PACKAGE ...` takes such a look, and refuses packages that were linted before.
"""

FITTED = """\
## Packages that the rules were fitted to

The packages that `tests/ecosystem/requirements.txt` pins are linted whenever jaxlint changes: their false positives have
been fixed as they were found. Whether a name is really gone or deprecated is asked of JAX itself.

`python tests/ecosystem/run.py` downloads the packages, lints them and prints what differs from the ledger.
`python tests/ecosystem/page.py` writes this page.
"""


def right(entries: Iterable[Entry]) -> int:
    """How many messages are right: all that are not false."""
    return sum(entry.verdict != "false" for entry in entries)


def useful(entries: Iterable[Entry]) -> int:
    """How many findings are true."""
    return sum(entry.verdict == "true" for entry in entries)


def outside(entries: Iterable[Entry]) -> list[Entry]:
    """The findings of other rules than those on names that moved."""
    return [entry for entry in entries if not entry.code.startswith(MIGRATION)]


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def rules(entries: Iterable[Entry]) -> str:
    """The table of findings by rule and verdict, with totals."""
    return _table("rule", entries, lambda entry: f"{entry.code} {find(entry.code).name}")


def families(entries: Iterable[Entry]) -> str:
    """The table of findings by family of rules and verdict, with totals."""
    names = {rule.code[:4]: f"{rule.code[:4]}xx {rule.family}" for rule in all_rules()}
    return _table("family", entries, lambda entry: names[entry.code[:4]])


def _table(heading: str, entries: Iterable[Entry], name: Callable[[Entry], str]) -> str:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(name(entry), []).append(entry)
    every = [entry for group in groups.values() for entry in group]
    lines = [f"| {heading} | findings | {VERDICTS} | right | of use |", "|---|" + "--:|" * (len(ledger.VERDICTS) + 3)]
    for title, group in [*sorted(groups.items()), (f"all but {MIGRATION}xx", outside(every)), ("all", every)]:
        counts = Counter(entry.verdict for entry in group)
        cells = [title, len(group), *(counts[verdict] for verdict in ledger.VERDICTS)]
        cells += [share(right(group), len(group)), share(useful(group), len(group))]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def packages(entries: Iterable[Entry], read: Iterable[Read | Package]) -> str:
    """The table of findings by package and verdict."""
    by_package: dict[str, Counter[str]] = {}
    for entry in entries:
        by_package.setdefault(entry.package, Counter())[entry.verdict] += 1
    lines = [f"| package | files | notebooks | findings | {VERDICTS} |", "|---|" + "--:|" * (len(ledger.VERDICTS) + 3)]
    every = list(read)
    for each in every:
        lines.append(
            _package(
                f"{each.package} {each.version}", each.files, each.notebooks, by_package.get(each.package, Counter())
            )
        )
    total: Counter[str] = sum(by_package.values(), Counter())
    name = f"{len(every)} packages"
    lines.append(_package(name, sum(each.files for each in every), sum(each.notebooks for each in every), total))
    return "\n".join(lines) + "\n"


def _package(name: str, files: int, notebooks: int, counts: Counter[str]) -> str:
    verdicts = " | ".join(str(counts[verdict]) for verdict in ledger.VERDICTS)
    return f"| {name} | {files} | {notebooks} | {counts.total()} | {verdicts} |"


def found(entries: Iterable[Entry], verdict: str) -> str:
    """The findings of a verdict that are not about names, by package."""
    lines = []
    package = ""
    for entry in sorted(outside(entries)):
        if entry.verdict == verdict:
            if entry.package != package:
                package = entry.package
                lines += ["", f"**{package} {entry.version}**", ""]
            lines.append(f"- `{entry.path}:{entry.line}` {entry.code}: {entry.reason}")
    return "\n".join(lines[1:]) + "\n"


def first_look(look: Look) -> str:
    """The section on packages that were new to jaxlint."""
    rest = outside(look.entries)
    most = Counter(entry.package for entry in look.entries).most_common(2)
    introduction = FIRST_SIGHT.format(
        date=look.date, commit=look.commit, seconds=look.seconds, migration=MIGRATION, count=len(look.packages),
        files=sum(each.files for each in look.packages), notebooks=sum(each.notebooks for each in look.packages),
        right=share(right(look.entries), len(look.entries)), use=share(useful(look.entries), len(look.entries)),
        right_outside=share(right(rest), len(rest)), use_outside=share(useful(rest), len(rest)),
        most=" and ".join(package for package, _ in most), part=share(sum(count for _, count in most), len(look.entries)),
    )  # fmt: skip
    return "\n".join((
        introduction,
        families(look.entries),
        "### False at first sight\n", f"All but those of {MIGRATION}xx.\n", found(look.entries, "false"),
        "### Packages at first sight\n", packages(look.entries, look.packages),
    ))  # fmt: skip


def text(entries: list[Entry], looks: list[Look]) -> str:
    """The whole page. Raises ValueError for a finding that nobody has judged."""
    for entry in [*entries, *(entry for look in looks for entry in look.entries)]:
        if entry.verdict not in ledger.VERDICTS or not entry.reason:
            raise ValueError(f"{entry}: give it a verdict ({', '.join(ledger.VERDICTS)}) and a reason")
    *most, last = (f"- *{verdict}*: {meaning}" for verdict, meaning in ledger.VERDICTS.items())
    return "\n".join((
        INTRODUCTION.format(verdicts=";\n".join([*most, f"{last}."]), migration=MIGRATION),
        first_look(looks[-1]),
        FITTED,
        "### By rule\n", rules(entries),
        "### By package\n", packages(entries, ledger.read_summary()),
        "### Every true finding\n",
        f"All but those of {MIGRATION}xx; [the most important](found-in-the-wild.md) with what to write instead.\n"
        "The line of a notebook is that of the file.\n",
        found(entries, "true"),
    ))  # fmt: skip


def write() -> None:
    PAGE.write_text(text(ledger.read(), first_sight.read()), encoding="utf-8")


if __name__ == "__main__":
    write()
