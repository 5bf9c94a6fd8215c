"""Inputs that are meant to hang a linter, exhaust its memory or stop it: what each costs.

    python tests/fuzzing/bad_inputs.py [--record] [NAME ...]

Each input is linted by ``jaxlint check`` in a process of its own, beside a good file with one finding. The table says what was
reported, the seconds of processor time and the peak memory of the process; ``--record`` writes it to docs/robustness.md. The command fails where
something else is reported than the case says, or where it takes more than its bounds.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "robustness.md"
BEGIN, END = "<!-- bad inputs: begin -->\n", "<!-- bad inputs: end -->\n"
HEAD = "import jax\nimport jax.numpy as jnp\n\n\n"
JIT = HEAD + "@jax.jit\n"
GOOD = JIT + "def f(x):\n    if x.sum() > 2:\n        return x\n    return -x\n"  # JAX103
SECONDS, MEGABYTES = 20.0, 300
HANGS = 300.0  # seconds after which a process is killed that waits for something
# The peak of the memory that a new process has itself; what `wait4` says includes that of the process that started it.
MEASURED = """\
import sys
from jaxlint.cli import main
try:
    code = main(sys.argv[1:])
finally:
    status = open("/proc/self/status").read()
    open("memory", "w").write(status.partition("VmHWM:")[2].split()[0])
sys.exit(code)
"""


@dataclass(frozen=True)
class Case:
    """What is written into a folder, and the codes that are reported for it besides the good file's."""

    name: str
    write: Callable[[Path], None]
    codes: tuple[str, ...] = ()


def module(name: str, text: str, *codes: str) -> Case:
    return Case(name, lambda folder: write(folder / "bad.py", text), codes)


def settings(name: str, text: str, *codes: str) -> Case:
    return Case(name, lambda folder: write(folder / "pyproject.toml", text), codes)


def notebook(name: str, *cells: str, codes: tuple[str, ...] = (), **extra: object) -> Case:
    content = {
        "cells": [code_cell(text) for text in cells],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
        **extra,
    }
    return Case(name, lambda folder: write(folder / "bad.ipynb", json.dumps(content)), codes)


def code_cell(text: str) -> dict[str, object]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": text}


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def each(count: int, template: str) -> str:
    return "".join(template.replace("@", str(number)) for number in range(count))


def _huge_number(folder: Path) -> None:
    text = json.dumps({"cells": [code_cell("import jax\n")], "metadata": {"n": 7}, "nbformat": 4, "nbformat_minor": 5})
    write(folder / "bad.ipynb", text.replace('"n": 7', '"n": ' + "7" * 1_000_000))


def _unreadable(folder: Path) -> None:
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "bad.py").symlink_to("nowhere.py")


CASES = [
    settings("TOML: 50,000 arrays in one another", "[tool.jaxlint]\nexclude = " + "[" * 50_000 + "]" * 50_000 + "\n", "JAX903"),
    settings("TOML: 50,000 inline tables in one another", "[tool.jaxlint]\nexclude = " + "{a = " * 50_000 + "1" + "}" * 50_000, "JAX903"),
    settings("TOML: a table name of 50,000 parts", "[tool.jaxlint]\n[" + "a." * 50_000 + "a]\n", "JAX903"),
    settings("TOML: a number of 100,000 digits", "[tool.jaxlint]\nline-length = " + "9" * 100_000 + "\n", "JAX903"),
    settings("`exclude` of forty stars", '[tool.jaxlint]\nexclude = ["' + "*a" * 40 + '*b"]\n'),
    Case("`.gitignore` of 2,000 patterns with forty stars", lambda folder: write(folder / ".gitignore", ("*a" * 40 + "b\n") * 2000)),
    Case("a pipe as `pyproject.toml`", lambda folder: os.mkfifo(folder / "pyproject.toml")),
    Case("a notebook with a number of 1,000,000 digits", _huge_number),
    notebook("a notebook with an unreadable cell", "x = (", GOOD, codes=("JAX103", "JAX900")),
    notebook("IPython: `x, = !cmd`, a continued `%run`, an empty line before `%%`", "import jax\nx, = !ls\n%run a.py \\\n  -v\n", "\n%%bash\nls\n", "#@title t\n%%html\n<b>\n"),
    Case("a notebook nested 100,000 deep", lambda folder: write(folder / "bad.ipynb", "[" * 100_000), ("JAX900",)),
    module("format fields of 100,000 digits", JIT + "def f(x):\n    name = '{:" + "9" * 100_000 + "}'.format(3) + '%" + "9" * 100_000 + "d' % 3\n    return {name: x}\n"),
    module("`%(%(%(`, 10,000 times", JIT + "def f(x):\n    name = '" + "%(" * 10_000 + "' % {'a': 3}\n    return {name: x}\n"),
    module("a `match` with 1,000 arms", JIT + "def f(x, n):\n    match n:\n" + each(1000, "        case @:\n            return x + @\n") + "    return x\n", *["JAX103"] * 1000),
    module("1,000 `elif`", JIT + "def f(x, n):\n    if n == -1:\n        return x\n" + each(1000, "    elif n == @:\n        return x + @\n") + "    return x\n", *["JAX103"] * 1001),
    module("a list of 4 MB", HEAD + "TABLE = [" + "0, " * 1_333_333 + "]\n"),
    module("a text of 5,000,001 characters", HEAD + "# " + "x" * 5_000_001 + "\n", "JAX904"),
    module("1,500 brackets in one another", HEAD + "x = " + "(" * 1500 + "1" + ")" * 1500 + "\n", "JAX900"),
    module("100,000 opening brackets", HEAD + "x = " + "[" * 100_000 + "\n", "JAX900"),
    module("50,000 `lambda` in one another", HEAD + "x = " + "lambda: " * 50_000 + "1\n", "JAX900"),
    module("a sum of 8,000 terms", HEAD + "x = " + " + ".join("1" * 8000) + "\n", "JAX900"),
    module("2 ** 2 ** 2 ** … in Python", HEAD + "n = 2 ** 2 ** 2 ** 2 ** 2 ** 2\ns = 'a' * 10 ** 12\n"),
    module("a number that squares itself 60 times", HEAD + "n = 3\n" + "n = n * n\n" * 60),
    module("a tuple that holds itself twice, 60 times", HEAD + "t = ()\n" + "t = (t, t)\n" * 60),
    module("60 functions that call each other twice", HEAD + "def g0(x):\n    return x\n\n\n" + each(60, "def h@(x):\n    return x\n\n\n") + "".join(f"def g{i}(x):\n    return g{i - 1}(x) + g{i - 1}(x)\n\n\n" for i in range(1, 60)) + "jax.jit(g59)(1.0)\n"),
    module("a byte order mark, form feeds and tabs", "\ufeffimport jax\n\x0c\n@jax.jit\ndef f(x):\n \tif x > 0:\n \t\treturn x\n \treturn -x\n", "JAX103"),
    Case("links that lead nowhere", _unreadable),
]  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    codes: tuple[str, ...]
    status: int
    seconds: float
    megabytes: int
    said: str


def lint(case: Case) -> Outcome:
    """Lint one case in a new folder, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="bad-input") as name:
        folder = Path(name)
        write(folder / "good.py", GOOD)
        case.write(folder)
        command = [
            sys.executable,
            "-c",
            MEASURED,
            "check",
            "--no-cache",
            "--jobs",
            "1",
            "--output-format",
            "json",
            "--output-file",
            "report.json",
            ".",
        ]
        log = os.open(folder / "log", os.O_CREAT | os.O_WRONLY)
        actions = [(os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)]
        here = os.getcwd()
        os.chdir(folder)
        try:
            process = os.posix_spawn(sys.executable, command, {**os.environ, "COLUMNS": "200"}, file_actions=actions)
        finally:
            os.chdir(here)
            os.close(log)
        killer = threading.Timer(HANGS, os.kill, (process, signal.SIGKILL))
        killer.start()
        _, status, used = os.wait4(process, 0)
        killer.cancel()
        seconds = used.ru_utime + used.ru_stime
        report = folder / "report.json"
        found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else []
        codes = sorted(each["code"] for each in found if not each["filename"].endswith("good.py"))
        good = [each["code"] for each in found if each["filename"].endswith("good.py")]
        said = (folder / "log").read_text(encoding="utf-8", errors="replace")
        if good != ["JAX103"]:
            said = f"the good file has {good}: {said}"
        memory = folder / "memory"  # not there where the process was killed
        megabytes = int(memory.read_text(encoding="utf-8")) >> 10 if memory.exists() else 0
        return Outcome(tuple(codes), os.waitstatus_to_exitcode(status), seconds, megabytes, said)


def shown(codes: Sequence[str]) -> str:
    counted = Counter(codes).items()
    return ", ".join(code if count == 1 else f"{count} × {code}" for code, count in counted) or "nothing"


def wrong(case: Case, outcome: Outcome) -> str:
    """What is not as it must be."""
    if outcome.said:
        return outcome.said[-400:]
    if outcome.codes != case.codes:
        return f"reported {shown(outcome.codes)}, not {shown(case.codes)}"
    if outcome.status != (2 if "JAX903" in case.codes else 1):
        return f"exit code {outcome.status}"
    if outcome.seconds > SECONDS or outcome.megabytes > MEGABYTES:
        return f"{outcome.seconds:.1f} s and {outcome.megabytes} MB"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases whose names hold one of these words")
    parser.add_argument("--record", action="store_true", help=f"write the table to {PAGE.name}")
    options = parser.parse_args(arguments)
    rows = ["| input | reported | seconds | MB |", "|---|---|---|---|"]
    failures = 0
    for case in CASES:
        if options.names and not any(name in case.name for name in options.names):
            continue
        outcome = lint(case)
        rows.append(f"| {case.name} | {shown(outcome.codes)} | {outcome.seconds:.1f} | {outcome.megabytes} |")
        print(rows[-1], flush=True)
        problem = wrong(case, outcome)
        if problem:
            failures += 1
            print(f"{case.name}: {problem}", file=sys.stderr)
    if options.record and not failures and not options.names:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        PAGE.write_text(before + BEGIN + "\n".join(rows) + "\n" + END + after, encoding="utf-8")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
