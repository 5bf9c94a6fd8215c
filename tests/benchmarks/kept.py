"""Runs that have little to do: everything is known from before, or nothing concerns JAX."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from cold import imported
from files import files_of, folder_of
from measure import CHECK, Table, in_turn, ratios, run, told

WARM = 0.1
START = 2.0


def warm(quick: bool) -> Table:
    table = Table(
        "A warm run",
        f"The same files again, with `--jobs 1` and the cache that the first run has left. The aim is {WARM} of the cold run; a\n"
        "warm run has to do without libCST.",
        ("package", "files", "cold", "warm", "ratio", "imports libCST"),
    )
    for package in ("optax",) if quick else ("equinox", "optax", "flax"):
        folder = folder_of(package)
        found, colds, warms = [], [], []
        for _ in range(2 if quick else 3):
            with tempfile.TemporaryDirectory() as place:
                command = [*CHECK, "--jobs", "1", "--cache-dir", str(Path(place) / "cache"), str(folder)]
                cold = run(command)
                again = min((run(command) for _ in range(2)), key=lambda cost: cost.cpu)
                libcst = imported(command, "libcst")
            colds.append(cold.cpu)
            warms.append(again.cpu)
            found.append(again.cpu / cold.cpu)
        row = (
            package,
            str(len(files_of(folder))),
            told(colds, " s"),
            told(warms, " s"),
            told(found),
            "yes" if libcst else "no",
        )
        table.rows.append(row)
        table.aim(f"{package} takes {told(found)} of the cold run", statistics.median(found) <= WARM)
        table.aim(f"a warm run over {package} imports libCST", not libcst)
    return table


def startup(quick: bool) -> Table:
    table = Table(
        "Starting",
        "Against `python -c 'import argparse'`, as fresh processes in turn; the second is what a pre-commit hook takes for\n"
        f"files that do not concern JAX. The aim is a ratio of at most {START}.",
        ("run", "takes", "bare Python", "ratio"),
    )
    bare = [sys.executable, "-c", "import argparse"]
    with tempfile.TemporaryDirectory() as place:
        for number in range(5):
            Path(place, f"plain{number}.py").write_text("import os\n\n\ndef main():\n    return os.getcwd()\n")
        check = [sys.executable, "-m", "jaxlint", "check", "--no-cache"]
        plain = sorted(map(str, Path(place).iterdir()))
        configured = Path(place, "configured")
        configured.mkdir()
        for number in range(5):
            Path(configured, f"plain{number}.py").write_text(Path(plain[number]).read_text())
        (configured / "pyproject.toml").write_text('[tool.jaxlint]\nselect = ["JAX1"]\n')
        runs = {
            "`jaxlint --version`": [sys.executable, "-m", "jaxlint", "--version"],
            "5 files without JAX": [*check, *plain],
            "5 of a project with a table of settings": [*check, *sorted(map(str, configured.glob("*.py")))],
        }
        for name, command in runs.items():
            ours, theirs = in_turn(10 if quick else 25, (command, ""), (bare, ""))
            found = ratios(ours, theirs)
            took = [told((1000 * cost.cpu for cost in costs), " ms", 0) for costs in (ours, theirs)]
            table.rows.append((name, *took, told(found)))
            table.aim(f"{name} takes {told(found)}× bare Python", statistics.median(found) <= START)
    return table
