"""The wheel that mypyc compiles beside the pure package, Python's own parser, and the other fast linters."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from files import PACKAGES, files_of, folder_of
from measure import CHECK, COLD, FLOOR, Table, in_turn, ratios, seconds, told

OF_LIBCST = 0.9
OF_AST = 8.0
FLAKE8 = 3.0
RUFF = 1.2

AST = """\
import ast, sys
for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        ast.parse(file.read())
"""


def compiled(python: Path, linters: Path | None, quick: bool) -> Table:
    """``python`` is that of an environment in which the compiled wheel is installed."""
    table = Table(
        "The compiled wheel",
        "`jaxlint check --jobs 1 --no-cache PACKAGE` with the [compiled wheel](releasing.md#wheels) and with the pure package, and the\n"
        f"compiled one against libCST's parse (the aim is {OF_LIBCST}), `ast.parse` ({OF_AST:g}) and flake8 ({FLAKE8:g} times faster); against\n"
        f"Ruff, a warm run, by the clock ({RUFF}).",
        (
            "package", "pure", "compiled", "ratio", "of libCST's parse", "of `ast.parse`", "flake8 takes", "of Ruff's run, warm",
            "memory, pure", "compiled",
        ),
    )  # fmt: skip
    for package in ("equinox", "optax") if quick else PACKAGES:
        folder = folder_of(package)
        files = "\n".join(files_of(folder))
        repeat = 2 if package == "jax" or quick else 4
        cold = [str(python), *COLD[1:], str(folder)]
        pure, fast, libcst, tree = in_turn(
            repeat,
            ([*COLD, str(folder)], ""),
            (cold, ""),
            ([sys.executable, "-c", FLOOR], files),
            ([sys.executable, "-c", AST], files),
        )
        found = ratios(fast, pure), ratios(fast, libcst), ratios(fast, tree)
        flake8 = warm = "–"
        if linters is not None:
            with tempfile.TemporaryDirectory() as cache:
                theirs, ours, ruff, again = in_turn(
                    repeat,
                    ([str(linters), "-m", "flake8", "--jobs", "1", str(folder)], ""),
                    (cold, ""),
                    ([str(linters.parent / "ruff"), "check", "--no-cache", str(folder)], ""),
                    ([str(python), *CHECK[1:], "--jobs", "1", "--cache-dir", cache, str(folder)], ""),
                )
            times, of_ruff = ratios(theirs, ours), ratios(again, ruff, clock=True)
            flake8, warm = f"{told(times, digits=1)}×", told(of_ruff)
            table.aim(f"flake8 takes {flake8} jaxlint on {package}", statistics.median(times) >= FLAKE8)
            table.aim(f"a warm run takes {warm}× Ruff's on {package}", statistics.median(of_ruff) <= RUFF)
        memory = [f"{max(cost.memory for cost in costs):.0f} MB" for costs in (pure, fast)]
        table.rows.append((package, seconds(pure), seconds(fast), *map(told, found), flake8, warm, *memory))
        table.aim(f"{package} takes {told(found[1])}× libCST's parse", statistics.median(found[1]) <= OF_LIBCST)
        table.aim(f"{package} takes {told(found[2])}× `ast.parse`", statistics.median(found[2]) <= OF_AST)
    return table
