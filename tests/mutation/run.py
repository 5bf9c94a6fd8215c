"""Mutation testing: whether the tests notice when jaxlint is changed.

    python tests/mutation/run.py draw --seed N        # a sample of mutants: results/seed-N.json
    python tests/mutation/run.py score --seed N       # judge those that are not killed yet by the quick selection
    python tests/mutation/run.py suite --seed N       # judge the survivors by the other tests
    python tests/mutation/run.py page                 # write docs/mutation.md

``results/seed-N.json`` keeps what became of each mutant, and as ``first`` what the first score was. A survivor that no program can tell from the original is given
an ``equivalent`` there by hand: the argument why.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import judging
import sample

RESULTS = HERE / "results"
WORK = sample.ROOT / "build" / "mutation"  # ignored by Git


def drawn(seed: int) -> int:
    path = RESULTS / f"seed-{seed}.json"
    if path.exists():
        print(f"{path}: exists; a sample is drawn once", file=sys.stderr)
        return 2
    found = sample.draw(seed)
    path.parent.mkdir(exist_ok=True)
    record = {"seed": seed, "drawn_at": _commit(), "mutants": [mutant.to_json() for mutant in found]}
    sample.write(path, record)
    print(f"{path}: {len(found)} mutants")
    return 0


def _commit() -> str:
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True, cwd=sample.ROOT
    ).stdout.strip()


def score(seed: int, jobs: int, coverage: judging.Coverage, again: bool = False, only: str | None = None) -> int:
    """Judge mutants by the quick selection; those that are killed already only ``again``."""
    path = RESULTS / f"seed-{seed}.json"
    record = sample.read(path)
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    tasks = []
    for row in record["mutants"]:
        mutant = sample.mutant_of(row)
        if (row.get("status") == "killed" and not again) or (only is not None and only not in row["path"]):
            continue
        place = sample.find(mutant)
        if place is None:
            row["status"] = "gone"
            continue
        rows[mutant.key] = row
        tasks.append(coverage.task(place, (sample.ROOT / mutant.path).read_text(encoding="utf-8")))
    done = Counter[str]()

    def report(task: judging.Task, verdict: judging.Verdict) -> None:
        row = rows[task.place.mutant.key]
        row["status"], row["by"] = verdict.status, verdict.by
        done[verdict.status] += 1
        print(f"{sum(done.values())}/{len(tasks)} {verdict.status} {task.path}:{row['line']} {verdict.tests} tests"
              f" {verdict.seconds:.0f} s {verdict.by}", file=sys.__stderr__, flush=True)  # fmt: skip
        sample.write(path, record)

    judging.judge(tasks, coverage, sample.ROOT, jobs, report)
    sample.write(path, record)
    counts = Counter(row.get("status", "not judged") for row in record["mutants"])
    if only is None and "first" not in record:
        record["first"] = dict(counts)
        sample.write(path, record)
    print(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    return 0


# --- the whole suite ------------------------------------------------------------------------------


def suite(seed: int, arguments: Sequence[str]) -> int:
    """Judge the survivors by all tests: applied together to a copy, in halves where a test fails."""
    path = RESULTS / f"seed-{seed}.json"
    record = sample.read(path)
    rows = [
        row for row in record["mutants"] if row.get("status") in ("survived", "not covered") and "equivalent" not in row
    ]
    copy = WORK / "suite"
    groups = [rows] if rows else []
    while groups:
        group = groups.pop()
        left = _applied(group, copy)
        failed = _failed(copy, arguments)
        here = [row for row in group if row not in left]
        print(f"{len(here)} mutants: {failed or 'all tests pass'}", file=sys.stderr, flush=True)
        if failed and len(here) > 1:
            half = len(here) // 2
            groups += [here[half:], here[:half]]
        for row in here if not failed or len(here) == 1 else []:
            row["status"], row["by"] = ("killed", failed) if failed else ("survived", "the whole suite")
        sample.write(path, record)
        if left:
            groups.append(left)
    return 0


def _applied(rows: Sequence[dict[str, Any]], copy: Path) -> list[dict[str, Any]]:
    """Make a copy of the tracked files with the mutants applied; those that lie within another one are left over."""
    if copy.exists():
        shutil.rmtree(copy)
    copy.mkdir(parents=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z"], capture_output=True, text=True, check=True, cwd=sample.ROOT
    ).stdout
    for name in filter(None, listed.split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(sample.ROOT / name, copy / name, follow_symlinks=False)
    subprocess.run(["git", "init", "-q"], check=True, cwd=copy)  # tests ask Git where the project begins
    left: list[dict[str, Any]] = []
    places: dict[str, list[tuple[sample.Place, dict[str, Any]]]] = {}
    for row in rows:
        place = sample.find(sample.mutant_of(row))
        if place is not None:
            places.setdefault(row["path"], []).append((place, row))
    for name, found in places.items():
        text = (copy / name).read_text(encoding="utf-8")
        start = len(text)
        for place, row in sorted(found, key=lambda each: each[0].start, reverse=True):
            if place.end > start:
                left.append(row)
                continue
            text, start = place.applied(text), place.start
        (copy / name).write_text(text, encoding="utf-8")
    return left


def _failed(copy: Path, arguments: Sequence[str]) -> str:
    """The first test that fails in a copy; "" where all pass."""
    environment = {**os.environ, "PYTHONPATH": str(copy)}  # before what an editable install says
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-rfE", *arguments],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return lines[0].split(" ")[1] if lines else f"pytest ended with status {done.returncode}"


# --- the page -------------------------------------------------------------------------------------

PAGE = sample.ROOT / "docs" / "mutation.md"
INTRODUCTION = """# Mutation testing

A mutant is jaxlint with one small change: a comparison turned around, a statement removed, two arguments swapped. A test that
fails *kills* it; a mutant that survives is a place where a mistake would go unnoticed. `tests/mutation/run.py` draws mutants at
random by seed (a line, then an operator, then one of its mutants there), judges each by the tests of the quick selection that
execute the line, and the survivors by the whole suite. A survivor counts as equivalent only with an argument why no program
tells it from the original. The score is the share of the others that is killed.
"""


def page() -> int:
    """Write what became of the samples."""
    parts = [INTRODUCTION]
    for path in sorted(RESULTS.glob("seed-*.json")):
        record = sample.read(path)
        parts.append(_of_sample(record))
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    return 0


def _of_sample(record: dict[str, Any]) -> str:
    by_area: dict[str, list[dict[str, Any]]] = {area: [] for area in sample.AREAS}
    for row in record["mutants"]:
        by_area[sample.area_of(row["path"])].append(row)
    lines = [
        f"## Seed {record['seed']}", "", f"Drawn at {record['drawn_at'][:8]}.{_first(record)}", "",
        "| area | drawn | changed since | not judged | killed | equivalent | survive | score |", "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for area, rows in [*by_area.items(), ("all", record["mutants"])]:
        counts = Counter(_verdict(row) for row in rows)
        lines.append(
            f"| {area} | {len(rows)} | {counts['gone']} | {counts['not judged']} | {counts['killed']} | {counts['equivalent']}"
            f" | {counts['survived']} | {_score(counts)} |"
        )
    for verdict, title in (("survived", "Survivors"), ("equivalent", "Equivalent")):
        chosen = [row for row in record["mutants"] if _verdict(row) == verdict]
        if chosen:
            lines += ["", f"### {title}", ""]
            lines += [f"- `{row['path']}` `{row['function']}`: {_change(row)}{_argument(row)}" for row in chosen]
    return "\n".join(lines) + "\n"


def _first(record: dict[str, Any]) -> str:
    """What the tests were worth before any was written for a survivor of the sample."""
    counts = record.get("first")
    if counts is None:
        return ""
    return f" Before tests were written for the others, the quick selection killed {counts['killed']} of {sum(counts.values())}."


def _verdict(row: dict[str, Any]) -> str:
    if row.get("equivalent"):
        return "equivalent"
    status = row.get("status", "not judged")
    return "survived" if status == "not covered" else status


def _score(counts: Counter[str]) -> str:
    judged = counts["killed"] + counts["survived"]
    return f"{100 * counts['killed'] / judged:.1f} %" if judged else ""


def _change(row: dict[str, Any]) -> str:
    before, after = (" ".join(row[name].split())[:60].replace("`", "'") for name in ("before", "after"))
    return f"{row['operator']}, `{before}` becomes `{after}`"


def _argument(row: dict[str, Any]) -> str:
    return f": {row['equivalent']}" if row.get("equivalent") else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw")
    judge = commands.add_parser("score")
    whole = commands.add_parser("suite")
    whole.add_argument("pytest", nargs="*", help="arguments of pytest, such as the tests that are left out")
    commands.add_parser("page")
    for command in (draw, judge, whole):
        command.add_argument("--seed", type=int, required=True)
    judge.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    judge.add_argument("--again", action="store_true", help="judge the killed ones, too")
    judge.add_argument("--only", metavar="TEXT", help="mutants of files with this in their path")
    judge.add_argument("--covered", type=Path, help="what an earlier run has measured of the same code")
    arguments = parser.parse_args()
    if arguments.command == "draw":
        return drawn(arguments.seed)
    if arguments.command == "suite":
        return suite(arguments.seed, arguments.pytest)
    if arguments.command == "page":
        return page()
    if arguments.covered:
        coverage = judging.Coverage(arguments.covered)
    else:
        files = sample.files(path for _, paths in sample.AREAS.values() for path in paths)
        coverage = judging.covered(["tests", "-m", "quick"], WORK / "quick.json", sample.ROOT, files)
    return score(arguments.seed, arguments.jobs, coverage, arguments.again, arguments.only)


if __name__ == "__main__":
    sys.exit(main())
