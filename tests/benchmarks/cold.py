"""Runs that know nothing beforehand: against the floor, against other linters, and in several processes."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from files import PACKAGES, files_of, folder_of, lines_of
from measure import CHECK, COLD, FLOOR, Cost, Table, in_turn, ratios, run, seconds, told

AIM = 1.6
SCALING = 1.8
UNSELECTED = 1.05
ADDED = 1.2
TIMES_FASTER = {"flake8": 1.0, "pylint": 5.0, "Fixit": 5.0, "TorchFix": 5.0}


WITHOUT_PLUGIN = """\
import importlib.metadata as metadata
found = metadata.distributions
metadata.distributions = lambda **given: (each for each in found(**given) if each.name != "flake8-jaxlint")
from flake8.main.cli import main
raise SystemExit(main())
"""


def packages(quick: bool) -> Table:
    table = Table(
        "A cold run",
        f"`jaxlint check --jobs 1 --no-cache PACKAGE`, against a fresh process that imports libCST and does no more than\n"
        f"parse the same files, with the garbage collector off. The aim is a ratio of at most {AIM}.",
        ("package", "files", "lines", "parsing alone", "jaxlint", "ratio"),
    )
    for package in ("equinox", "optax") if quick else PACKAGES:
        folder = folder_of(package)
        files = files_of(folder)
        repeat = 2 if package == "jax" else 3 if quick else 5
        floor, lint = in_turn(repeat, ([sys.executable, "-c", FLOOR], "\n".join(files)), ([*COLD, str(folder)], ""))
        found = ratios(lint, floor)
        table.rows.append(
            (package, str(len(files)), f"{lines_of(files):,}", seconds(floor), seconds(lint), told(found))
        )
        table.aim(f"{package} takes {told(found)}× the floor", statistics.median(found) <= AIM)
    return table


def linters(python: Path, quick: bool) -> Table:
    """``python`` is that of an environment with the other linters in it."""
    versions = subprocess.run(
        [python, "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True, check=True
    ).stdout
    version = dict(line.lower().split("==") for line in versions.splitlines() if "==" in line)
    table = Table(
        "Other linters",
        "Each with its defaults, on the same folder and in turn; the figures are processor time in all processes. TorchFix\n"
        "passes over what does not mention torch: both it and jaxlint's own run beside it read a copy in which `jax` is\n"
        "written `torch`, where jaxlint reads the package itself. Aims: faster than flake8, five times faster than the others.",
        ("linter", "package", "takes", "jaxlint takes", "times jaxlint"),
    )
    tools = python.parent
    for package in ("equinox",) if quick else ("equinox", "optax"):
        folder = folder_of(package)
        with tempfile.TemporaryDirectory() as place:
            copy = Path(shutil.copytree(folder, Path(place) / package, ignore=shutil.ignore_patterns("__pycache__")))
            for path in copy.rglob("*.py"):
                path.write_bytes(path.read_bytes().replace(b"jax", b"torch"))
            commands = {
                "flake8": [str(python), "-m", "flake8", str(folder)],
                "pylint": [str(python), "-m", "pylint", str(folder)],
                "Fixit": [str(tools / "fixit"), "lint", str(folder)],
                "TorchFix": [str(tools / "torchfix"), "--select=ALL", str(copy)],
            }
            for name, command in commands.items():
                theirs, ours = _beside(command, [*COLD, str(folder)], 3 if name == "flake8" else 1)
                found = ratios(theirs, ours)
                row = (
                    f"{name} {version[name.lower()]}",
                    package,
                    seconds(theirs),
                    seconds(ours),
                    told(found, digits=1),
                )
                table.rows.append(row)
                faster = TIMES_FASTER[name]
                table.aim(
                    f"{name} takes {told(found, digits=1)}× jaxlint on {package}", statistics.median(found) >= faster
                )
    return table


def _beside(command: list[str], lint: list[str], repeat: int) -> tuple[list[Cost], list[Cost]]:
    theirs, ours = [], []
    run(lint)
    for _ in range(repeat):
        theirs.append(run(command, fails=range(64)))
        ours.append(run(lint))
    return theirs, ours


def plugin(quick: bool) -> Table:
    table = Table(
        "The flake8 plugin",
        "flake8 over a package in one process: where it does not see the plugin, where the plugin is installed and none of its codes is\n"
        f"selected (the aim is {UNSELECTED} times as much), and where they are selected: what it adds, against `jaxlint check` without a\n"
        f"cache (the aim is {ADDED}).",
        ("package", "flake8 alone", "plugin, not selected", "ratio", "selected", "it adds", "of `jaxlint check`"),
    )
    for package in ("equinox",) if quick else ("equinox", "optax"):
        folder = str(folder_of(package))
        with tempfile.TemporaryDirectory() as place:
            flake8 = [sys.executable, "-m", "flake8", "--isolated", "--jobs", "1", folder]
            commands = {
                "alone": [sys.executable, "-c", WITHOUT_PLUGIN, *flake8[3:]],
                "unselected": [*flake8, "--select", "E,F,W,C90"],
                "selected": [*flake8, "--select", "JAX"],
                "check": [*COLD, folder],
            }
            costs: dict[str, list[Cost]] = {name: [] for name in commands}
            for turn in range(3 if quick else 6):
                for name, command in commands.items():
                    shutil.rmtree(Path(place) / ".jaxlint_cache", ignore_errors=True)
                    cost = run(command, folder=Path(place))
                    if turn:
                        costs[name].append(cost)
        extra = ratios(costs["unselected"], costs["alone"])
        added = [one.cpu - other.cpu for one, other in zip(costs["selected"], costs["unselected"])]
        share = [more / cost.cpu for more, cost in zip(added, costs["check"])]
        alone, unselected, selected = (seconds(costs[name]) for name in ("alone", "unselected", "selected"))
        table.rows.append((package, alone, unselected, told(extra), selected, told(added, " s"), told(share)))
        table.aim(f"flake8 takes {told(extra)}× with the plugin installed", statistics.median(extra) <= UNSELECTED)
        table.aim(f"the plugin adds {told(share)}× `jaxlint check` on {package}", statistics.median(share) <= ADDED)
    return table


def workers(quick: bool) -> Table:
    table = Table(
        "In several processes",
        "By the clock, on a machine with at least two processors to itself: 300 files of Flax, Optax and Haiku. A run over a\n"
        f"few files starts no processes. The aim for two processes is {SCALING}.",
        ("run", "one process", "`--jobs 2`", "times faster"),
    )
    with tempfile.TemporaryDirectory() as place:
        count = 0
        for package in ("flax", "optax", "haiku"):
            folder = folder_of(package)
            for path in files_of(folder)[: 300 - count]:
                target = Path(place) / package / Path(path).relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
                count += 1
        cold = [*CHECK, "--no-cache", place, "--jobs"]
        one, two = in_turn(2 if quick else 4, ([*cold, "1"], ""), ([*cold, "2"], ""))
        found = ratios(one, two, clock=True)
        row = (f"{count} files", told((c.wall for c in one), " s"), told((c.wall for c in two), " s"), told(found))
        table.rows.append(row)
        table.aim(f"two processes are {told(found)}× as fast as one", statistics.median(found) >= SCALING)
        few = [str(path) for path in sorted(Path(place).rglob("*.py"))[:8]]
        started = imported([*CHECK, "--no-cache", "--jobs", "2", *few], "multiprocessing")
        table.rows.append(("8 files", "–", "starts processes" if started else "starts no processes", "–"))
        table.aim("a run over 8 files starts processes", not started)
    return table


def imported(command: list[str], module: str, folder: Path | None = None) -> bool:
    """Whether a run of jaxlint imports a module."""
    done = subprocess.run([command[0], "-X", "importtime", *command[1:]], capture_output=True, text=True, cwd=folder)
    names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert "jaxlint" in names
    return module in names
