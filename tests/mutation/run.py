"""Mutation testing: whether the tests notice when jaxlint is changed.

    python tests/mutation/run.py draw --seed N        # a sample of mutants: results/seed-N.json
    python tests/mutation/run.py score --seed N       # judge those that are not killed yet by the quick selection
    python tests/mutation/run.py suite --seed N       # judge the survivors by the other tests
    python tests/mutation/run.py page                 # write docs/mutation.md

``results/seed-N.json`` keeps what became of each mutant. A survivor that no program can tell from the original is given
an ``equivalent`` there by hand: the argument why.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Optional, Sequence

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import judging  # noqa: E402
import sample  # noqa: E402

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
    return subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True, cwd=sample.ROOT).stdout.strip()


def covered(
    arguments: Sequence[str], output: Path, root: Path = sample.ROOT, files: Optional[Sequence[str]] = None
) -> judging.Coverage:
    """Which lines of the files the tests execute, measured in a process of its own."""
    if files is None:
        files = sample.files(path for _, paths in sample.AREAS.values() for path in paths)
    output.parent.mkdir(parents=True, exist_ok=True)
    code = (
        "import sys; from pathlib import Path; import pytest; sys.path.insert(0, sys.argv[1]); import covering;"
        "plugin = covering.Covering(Path(sys.argv[2]), sys.argv[4].split(), Path(sys.argv[3]));"
        "sys.exit(pytest.main(sys.argv[5:], plugins=[plugin]))"
    )
    command = [sys.executable, "-c", code, str(HERE), str(root), str(output), " ".join(files), *arguments, *judging.OPTIONS]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"the tests fail before anything is changed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return judging.Coverage(output)


def score(seed: int, jobs: int, coverage: judging.Coverage, again: bool = False, only: Optional[str] = None) -> int:
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
    print(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw")
    judge = commands.add_parser("score")
    for command in (draw, judge):
        command.add_argument("--seed", type=int, required=True)
    judge.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    judge.add_argument("--again", action="store_true", help="judge the killed ones, too")
    judge.add_argument("--only", metavar="TEXT", help="mutants of files with this in their path")
    judge.add_argument("--covered", type=Path, help="what an earlier run has measured of the same code")
    arguments = parser.parse_args()
    if arguments.command == "draw":
        return drawn(arguments.seed)
    if arguments.covered:
        coverage = judging.Coverage(arguments.covered)
    else:
        coverage = covered(["tests", "-m", "quick"], WORK / "quick.json")
    return score(arguments.seed, arguments.jobs, coverage, arguments.again, arguments.only)


if __name__ == "__main__":
    sys.exit(main())
