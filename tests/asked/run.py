"""Count which of the mistakes that users asked about jaxlint finds.

python tests/asked/run.py [FOLDER] [--preview]      prints what is found, missed and false
python tests/asked/run.py [FOLDER] --execute        runs every program under JAX, and prints what differs from its case
python tests/asked/run.py [FOLDER] --fix            fixes those that raise, runs them, and prints those that still fail
python tests/asked/run.py [FOLDER] --fix --record NAME   and keeps the counts of each folder in fixed.json, for the page
python tests/asked/run.py --record NAME [FOLDER]    adds the counts of these programs to looks.json
python tests/asked/run.py --page                    writes docs/asked.md
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]

import cases
from cases import Case, Fixed, Judged

PAGE = ROOT / "docs" / "asked.md"
LOOKS = HERE / "looks.json"
FIXED = HERE / "fixed.json"
OUTCOMES = ("raises", "silent", "all")

INTRODUCTION = """\
# Mistakes that users ask about

The programs in `tests/asked/programs` are rebuilt from questions and issues about JAX and the libraries on top of it: training
loops, models, environments, samplers, simulations, a third of them in several files. Each has one mistake and a corrected version,
and says where it was asked about. In a third of the programs nothing is raised: numbers are wrong, a key or state never changes, or
everything is compiled anew. The lines at which a report helps were marked before jaxlint read the program. Each program was run
under JAX: it raises what its case says, or prints something else than the corrected one.

- `python tests/asked/run.py` counts what is found by default: a report at a marked line. `--preview` adds the rules in preview.
- `python tests/asked/run.py --execute` runs all programs.

## Looks

A look counts programs that jaxlint had never read, with the rules as they are by default. In brackets: programs that were reported
at a line which was marked only afterwards, because the report says what is wrong. *Now* is the state of this page; a figure
for programs that were looked into says little. The writers of the samples up to the eleventh were told which programs there were, and
wrote others; those of samples that are *drawn freely* were not, and wrote what users meet most.

"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=cases.PROGRAMS)
    parser.add_argument("--preview", action="store_true", help="with the rules in preview")
    parser.add_argument("--execute", action="store_true", help="run the programs instead")
    parser.add_argument("--fix", action="store_true", help="run the programs that raise after all fixes")
    parser.add_argument("--record", metavar="NAME", help="the name of the look")
    parser.add_argument("--page", action="store_true", help="write the page")
    given = parser.parse_args(arguments)
    every = list(cases.cases(given.folder.resolve()))
    if given.execute:
        return execute(every)
    if given.fix:
        return fix([case for case in every if case.outcome == "raises"], keep=bool(given.record))
    judged = [cases.judge(case, given.preview) for case in every]
    if given.page:
        PAGE.write_text(page(judged), encoding="utf-8")
        return 0
    for each in judged:
        if not each.found:
            print(f"missed  {each.case.outcome:6} {each.case.name}: {each.case.title}")
    for each in judged:
        for place in each.false:
            print(f"false   {each.case.name}/right/{place}")
        for place in each.elsewhere:
            print(f"beside  {each.case.name}/wrong/{place}")
    print(table(judged))
    if given.record:
        record(given.record, judged)
    return 0


def execute(every: Sequence[Case]) -> int:
    with ThreadPoolExecutor(2) as pool:
        problems = list(pool.map(cases.problem, every))
    for case, problem in zip(every, problems):
        if problem is not None:
            print(f"{case.name}: {problem}")
    print(f"{len(every)} cases, {sum(each is not None for each in problems)} do not do what they say")
    return any(each is not None for each in problems)


def fix(every: Sequence[Case], keep: bool) -> int:
    counts = Counter[str]()
    for folder, here in itertools.groupby(every, lambda case: case.folder.parent.name):
        done = [(case, cases.after_fixes(case)) for case in here]
        for case, fixed in done:
            if not fixed.alike:
                said = "prints something else" if fixed.runs else "fails"
                print(f"{said}  {folder}/{case.name}: {fixed.ending or case.title}", flush=True)
        counts += (of_folder := counted_fixes([fixed for _, fixed in done]))
        if keep:
            kept = json.loads(FIXED.read_text(encoding="utf-8")) if FIXED.exists() else {}
            kept[folder] = {"date": datetime.date.today().isoformat(), **of_folder}
            FIXED.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")
    print(said_of_fixes(counts))
    return 0


def counted_fixes(done: Sequence[Fixed]) -> Counter[str]:
    reported = [each for each in done if each.reported]
    return Counter({
        "raise": len(done), "reported": len(reported), "changed": sum(each.changed for each in reported),
        "run": sum(each.runs for each in reported), "alike": sum(each.alike for each in reported),
    })  # fmt: skip


def said_of_fixes(counts: Counter[str]) -> str:
    run, alike = share(counts["run"], counts["reported"]), share(counts["alike"], counts["reported"])
    return (
        f"Of {counts['raise']} programs that raise {counts['reported']} are reported. `jaxlint check --fix --unsafe-fixes` changes"
        f" {counts['changed']} of these; {counts['run']} run then ({run}), and {counts['alike']} print what the corrected program"
        f" prints ({alike})."
    )


def counted(judged: Sequence[Judged]) -> dict[str, list[int]]:
    """Found and all programs by outcome, and corrected programs with a report."""
    counts = {}
    for outcome in OUTCOMES:
        here = [each for each in judged if outcome in ("all", each.case.outcome)]
        counts[outcome] = [sum(bool(each.found) for each in here), len(here)]
    counts["false"] = [sum(bool(each.false) for each in judged), len(judged)]
    return counts


def record(name: str, judged: Sequence[Judged]) -> None:
    """Keep a look."""
    looks = json.loads(LOOKS.read_text(encoding="utf-8")) if LOOKS.exists() else []
    commit = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    looks.append({
        "look": name, "date": datetime.date.today().isoformat(), "commit": commit.stdout.strip(), "marked afterwards": 0,
        **counted(judged),
    })  # fmt: skip
    LOOKS.write_text(json.dumps(looks, indent=1) + "\n", encoding="utf-8")


def table(judged: Sequence[Judged]) -> str:
    """The counts, as a table of Markdown."""
    counts = counted(judged)
    lines = ["| outcome | programs | found | |", "|---|--:|--:|--:|"]
    for outcome in OUTCOMES:
        found, total = counts[outcome]
        lines.append(f"| {outcome} | {total} | {found} | {share(found, total)} |")
    lines.append("\nCorrected programs with a report: {} of {}.".format(*counts["false"]))
    return "\n".join(lines)


def share(found: int, total: int) -> str:
    return f"{100 * found / max(total, 1):.1f} %"


def page(judged: Sequence[Judged]) -> str:
    looks = json.loads(LOOKS.read_text(encoding="utf-8"))
    lines = ["| look | that raise | silent | all | corrected, with a report |", "|---|--:|--:|--:|--:|"]
    for look in [*looks, {"look": "now", **counted(judged)}]:
        said = f"{look['look']}, {look['date']}, `{look['commit']}`" if "date" in look else look["look"]
        parts = ["{} of {} ({})".format(*look[outcome], share(*look[outcome])) for outcome in OUTCOMES]
        if look.get("marked afterwards"):
            parts[-1] += f" [+{look['marked afterwards']}]"
        lines.append(f"| {said} | {' | '.join(parts)} | {look['false'][0]} of {look['false'][1]} |")
    if FIXED.exists():
        by_folder = json.loads(FIXED.read_text(encoding="utf-8")).values()
        counts = sum(
            (Counter({name: n for name, n in each.items() if name != "date"}) for each in by_folder), Counter()
        )
        since = min(each["date"] for each in by_folder)
        folders = (
            f"{len(by_folder)} of {len({each.case.folder.parent for each in judged})} folders, counted since {since}"
        )
        lines += ["", "## After fixes", "", f"{said_of_fixes(counts)} ({folders})"]
    lines += ["", "## Missed", "", "| program | what the user did | why it is missed |", "|---|---|---|"]
    reasons = cases.missed()
    for each in judged:
        if not each.found:
            lines.append(
                f"| `{each.case.folder.parent.name}/{each.case.name}` | {each.case.title} | {reasons.get(each.case.name, '')} |"
            )
    return INTRODUCTION + "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
