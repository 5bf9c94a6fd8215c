"""What a process costs, and tables of such figures.

Ratios are of processor time (user and system, children included), which a busy machine disturbs less than the clock,
and of runs that take turns, so that both sides meet the same machine.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CHECK = [sys.executable, "-m", "jaxlint", "check", "--output-format", "json"]
COLD = [*CHECK, "--jobs", "1", "--no-cache"]

FLOOR = """\
import gc, sys
gc.disable()
import libcst
for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        libcst.parse_module(file.read())
"""


@dataclass(frozen=True)
class Cost:
    """What one process took: processor time and clock in seconds, and the peak of its memory in MB."""

    cpu: float
    wall: float
    memory: float


@dataclass
class Table:
    """Rows of one subject. ``misses`` are aims that the figures do not reach."""

    title: str
    text: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)

    def aim(self, what: str, reached: bool) -> None:
        if not reached:
            self.misses.append(what)

    def markdown(self) -> str:
        lines = [" | ".join(self.header), "|".join(["---", *["--:"] * (len(self.header) - 1)])]
        lines += [" | ".join(row) for row in self.rows]
        missed = "".join(f"\nThe aim is missed: {each}.\n" for each in self.misses)
        table = "\n".join(f"| {line} |" if set(line) - set("-:|") else f"|{line}|" for line in lines)
        return f"## {self.title}\n\n{self.text}\n\n{table}\n{missed}"


def run(command: Sequence[str], stdin: str = "", folder: Path | None = None, fails: Iterable[int] = (0, 1)) -> Cost:
    """Run a command to its end; exits where it fails in another way than by findings."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONSAFEPATH": "1"}
    environment.pop("PYTHONPATH", None)
    if command[0] == sys.executable:  # another Python has a jaxlint of its own
        environment["PYTHONPATH"] = str(ROOT)
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=environment, text=True, cwd=folder,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in fails:
        sys.exit(f"{' '.join(command[:6])} ...: exit code {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def in_turn(repeat: int, *commands: tuple[Sequence[str], str]) -> list[list[Cost]]:
    """The costs of each command, given with its standard input, run in turn; a first round is not counted."""
    costs: list[list[Cost]] = [[] for _ in commands]
    for turn in range(repeat + 1):
        for (command, stdin), found in zip(commands, costs):
            cost = run(command, stdin)
            if turn:
                found.append(cost)
    return costs


def ratios(one: list[Cost], other: list[Cost], clock: bool = False) -> list[float]:
    """How much more each run of ``one`` took than the run of ``other`` beside it."""
    return [a.wall / b.wall if clock else a.cpu / b.cpu for a, b in zip(one, other)]


def told(values: Iterable[float], unit: str = "", digits: int = 2) -> str:
    """Median and range."""
    found = list(values)
    middle = f"{statistics.median(found):.{digits}f}{unit}"
    return middle if len(found) == 1 else f"{middle} ({min(found):.{digits}f}–{max(found):.{digits}f})"


def seconds(costs: list[Cost]) -> str:
    return told((cost.cpu for cost in costs), " s")
