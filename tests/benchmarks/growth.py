"""How cost grows: with the size of a project, and with programs that are made to be hard."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from files import block, pathological
from measure import CHECK, COLD, ROOT, Table, run

SPREAD = 0.25
SLOW = 10.0  # seconds that no single function may take


def lines(quick: bool) -> Table:
    table = Table(
        "With the size of a project",
        "Copies of the same 10,000 lines of Optax, in one run with `--jobs 1 --no-cache`; what a run over one line takes is taken\n"
        f"off. The aim is that the cost of a line stays within ±{SPREAD:.0%}, and that memory stays where it is once what is kept\n"
        "at hand is full, which takes some hundred files.",
        ("lines", "files", "takes", "a line", "peak of memory"),
    )
    with tempfile.TemporaryDirectory() as place:
        one = Path(place) / "one.py"
        one.write_text("import jax\n")
        start = min(run([*COLD, str(one)]).cpu for _ in range(3))
        original = Path(place) / "copy000"
        count = block(original, 10_000)
        files = len(list(original.rglob("*.py")))
        per_line, peaks = [], []
        for copies in (1, 5) if quick else (1, 10, 50, 100):
            for number in range(1, copies):
                if not (target := Path(place) / f"copy{number:03}").exists():
                    shutil.copytree(original, target)
            folders = [str(Path(place) / f"copy{number:03}") for number in range(copies)]
            cost = min((run([*COLD, *folders]) for _ in range(3 if copies == 1 else 1)), key=lambda cost: cost.cpu)
            per_line.append((cost.cpu - start) / (copies * count))
            peaks.append(cost.memory)
            table.rows.append(
                (
                    f"{copies * count:,}",
                    f"{copies * files:,}",
                    f"{cost.cpu:.1f} s",
                    f"{1e6 * per_line[-1]:.0f} µs",
                    f"{cost.memory:.0f} MB",
                )
            )
        middle = sorted(per_line)[len(per_line) // 2]
        table.aim("the cost of a line is not constant", all(abs(each / middle - 1) <= SPREAD for each in per_line))
        if not quick:
            table.aim("memory grows with the number of files", peaks[-1] < (1 + SPREAD) * peaks[-2])
    return table


def hard() -> Table:
    table = Table(
        "Programs that are made to be hard",
        "One file each. Where the analysis stops short, `--statistics` says so. The aim is that none takes more than"
        f" {SLOW:.0f} s.",
        ("program", "lines", "takes", "what `--statistics` says"),
    )
    with tempfile.TemporaryDirectory() as place:
        for name, text in pathological().items():
            file = Path(place) / "program.py"
            file.write_text(text)
            command = [*CHECK[:4], "--no-cache", "--statistics", file.name]
            cost = run(command, folder=Path(place))
            said = subprocess.run(command, capture_output=True, text=True, cwd=place, env={"PYTHONPATH": str(ROOT)})
            budgets = [line.partition(": ")[2] or line for line in said.stdout.splitlines() if "more than" in line]
            told = "; ".join(dict.fromkeys(budgets)) or "all was looked at"
            table.rows.append((name, f"{text.count(chr(10)):,}", f"{cost.cpu:.2f} s", told.replace("|", "\\|")))
            table.aim(f"{name} takes {cost.cpu:.1f} s", cost.cpu <= SLOW)
    return table
