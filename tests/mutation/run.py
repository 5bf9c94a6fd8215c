"""Mutation testing: whether the tests notice when jaxlint is changed.

    python tests/mutation/run.py draw --seed N        # a sample of mutants: results/seed-N.json
    python tests/mutation/run.py score --seed N       # judge those that are not killed yet by the quick selection
    python tests/mutation/run.py suite --seed N       # judge the survivors by slower tests
    python tests/mutation/run.py page                 # write docs/mutation.md

``results/seed-N.json`` keeps what became of each mutant, and as ``first`` and ``first_suite`` what the first scores were. A
survivor that no program can tell from the original is given an ``equivalent`` there by hand: the argument why.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import judging
import sample

RESULTS = HERE / "results"
WORK = sample.ROOT / "build" / "mutation"  # ignored by Git
# The tests of this tool execute no mutant, and fail while its records are written.
QUICK = ["tests", "-m", "quick", "--ignore=tests/test_mutation.py"]
# The other tests that execute the linter in their own process. Those of other processes (browsers, editors, commands, other
# releases of JAX) do not see a mutant, and test_keyword_calls and test_containment compare a mutant with itself.
SLOWER = [
    *(f"tests/test_{name}.py" for name in """
        agreement annotations bad_input bit_exact conventions differential elision explain fixtures fuzzing grown_carry
        lattice layer_results lowering matrix messages migration_table modules overlaps presumption programs shapes silenced
    """.split()),
    "tests/properties", "-m", "not quick",
    *(f"--deselect=tests/test_fixtures.py::{name}" for name in (
        "test_rule", "test_the_model_agrees_with_every_expression_of_a_rule",
    )),
]  # fmt: skip


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
    """Judge mutants by the tests of the coverage; those that are killed already only ``again``."""
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
        if verdict.status != "not covered" or row.get("status") != "survived":  # by other tests it was
            row["status"], row["by"] = verdict.status, verdict.by
        done[verdict.status] += 1
        print(f"{sum(done.values())}/{len(tasks)} {verdict.status} {task.path}:{row['line']} {verdict.tests} tests"
              f" {verdict.seconds:.0f} s {verdict.by}", file=sys.__stderr__, flush=True)  # fmt: skip
        sample.write(path, record)

    judging.judge(tasks, coverage, sample.ROOT, jobs, report)
    sample.write(path, record)
    counts = Counter(row.get("status", "not judged") for row in record["mutants"])
    first = "first" if coverage.complete else "first_suite"
    if only is None and first not in record:
        record[first] = dict(counts)
        sample.write(path, record)
    print(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    return 0


# --- the page -------------------------------------------------------------------------------------

PAGE = sample.ROOT / "docs" / "mutation.md"
INTRODUCTION = """# Mutation testing

A mutant is jaxlint with one small change: a comparison turned around, a statement removed, two arguments swapped. A test that
fails *kills* it; a mutant that survives is a place where a mistake would go unnoticed. `tests/mutation/run.py` draws mutants at
random by seed (a line, then an operator, then one of its mutants there), judges each by the tests of the quick selection that
execute the line, and the survivors by the slower tests that execute it in their own process. A survivor counts as equivalent
only with an argument why no program tells it from the original. The score is the share of the others that is killed.
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
        f"## Seed {record['seed']}", "", f"Drawn at {record['drawn_at'][:8]}.{_first(record)}{record.get('note', '')}", "",
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
    said = ""
    for name, tests in (("first", "the quick selection"), ("first_suite", "with the slower tests it")):
        counts = record.get(name)
        if counts is not None:
            said += f"{', ' if said else ' Before tests were written for the others, '}{tests} killed {counts['killed']} of {sum(counts.values())}"
    return said and said + "."


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
    judges = [commands.add_parser("score"), commands.add_parser("suite")]
    commands.add_parser("page")
    for command in (draw, *judges):
        command.add_argument("--seed", type=int, required=True)
    for command in judges:
        command.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
        command.add_argument("--again", action="store_true", help="judge the killed ones, too")
        command.add_argument("--only", metavar="TEXT", help="mutants of files with this in their path")
        command.add_argument("--covered", type=Path, help="what an earlier run has measured of the same code")
    arguments = parser.parse_args()
    if arguments.command == "draw":
        return drawn(arguments.seed)
    if arguments.command == "page":
        return page()
    quick = arguments.command == "score"
    if arguments.covered:
        coverage = judging.Coverage(arguments.covered, quick)
    else:
        files = sample.files(path for _, paths in sample.AREAS.values() for path in paths)
        output = WORK / ("quick.json" if quick else "slower.json")
        coverage = judging.covered(QUICK if quick else SLOWER, output, sample.ROOT, files, quick)
    return score(arguments.seed, arguments.jobs, coverage, arguments.again, arguments.only)


if __name__ == "__main__":
    sys.exit(main())
