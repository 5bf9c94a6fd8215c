"""Programs with mistakes that users of JAX asked about, each with its corrected version.

``programs/<name>/`` holds ``case.toml``, the program that is wrong in ``wrong/`` and the corrected one in ``right/``; each has
``main.py`` and the modules that it imports. A line of ``wrong/`` that ends with ``# mistake`` is one at which a report helps.
"""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jaxlint

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROGRAMS = Path(__file__).parent / "programs"
MISSED = Path(__file__).parent / "missed.toml"
MIGRATION = "JAX8"  # releases of libraries go on; what they deprecate is a mistake only where a case says so
SECONDS = 120  # for one program; those of the corpus take a few
LIBRARIES = ["jax", "flax.linen", "flax.nnx", "haiku", "equinox", "optax"]
_MARK = re.compile(r"[ \t]*# mistake[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A mistake: what the user did, and what happens under JAX."""

    folder: Path
    title: str
    source: str  # the address of the thread, or "commonly asked"
    outcome: str  # "raises" or "silent"
    error: str | None  # the class that is raised
    why: str

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def marked(self) -> set[tuple[str, int]]:
        """File and row of the lines at which a report helps."""
        return {
            (path.relative_to(self.folder / "wrong").as_posix(), row)
            for path in sorted((self.folder / "wrong").rglob("*.py"))
            for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if _MARK.search(line)
        }


@dataclass(frozen=True)
class Judged:
    """What jaxlint says of a case."""

    case: Case
    found: tuple[str, ...]  # codes at marked lines
    elsewhere: tuple[str, ...]  # of the same program, as file:row code
    false: tuple[str, ...]  # of the corrected program, as file:row code


def cases(folder: Path = PROGRAMS) -> Iterator[Case]:
    """The cases in a folder, by name."""
    for path in sorted(folder.glob("**/case.toml")):
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        yield Case(path.parent, told["title"], told["source"], told["outcome"], told.get("error"), told["why"])


def missed() -> dict[str, str]:
    """Why a program is not reported at a marked line, by its name."""
    found: dict[str, str] = tomllib.loads(MISSED.read_text(encoding="utf-8"))
    return found


def judge(case: Case, preview: bool = False) -> Judged:
    """Lint both versions of a case, each in a folder of its own and without the marks."""
    found, elsewhere = [], []
    for file, row, code in _report(case, "wrong", preview):
        if (file, row) in case.marked:
            found.append(code)
        else:
            elsewhere.append(f"{file}:{row} {code}")
    false = [f"{file}:{row} {code}" for file, row, code in _report(case, "right", preview)]
    return Judged(case, tuple(found), tuple(elsewhere), tuple(false))


@dataclass(frozen=True)
class Fixed:
    """What all fixes make of a case that raises, and how it ends if it still does."""

    reported: bool
    changed: bool
    runs: bool
    alike: bool  # it prints what the corrected program prints
    ending: str


def after_fixes(case: Case) -> Fixed:
    """A case with all its fixes."""
    reported = bool(_report(case, "wrong", preview=False))
    with tempfile.TemporaryDirectory() as name:
        folder = _unmarked(case, "wrong", Path(name))
        before = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
        command = [sys.executable, "-m", "jaxlint", "check", "--fix", "--unsafe-fixes", "--no-cache", "--quiet", "."]
        environment = {**os.environ, "PYTHONPATH": str(Path(jaxlint.__file__).parents[1])}
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS, check=False)
        changed = any(path.read_text(encoding="utf-8") != text for path, text in before.items())
        run = _run(folder)
    if run.returncode != 0:
        return Fixed(reported, changed, False, False, _last_line(run.stderr))
    return Fixed(reported, changed, True, run.stdout == _run(case.folder / "right").stdout, "")


def problem(case: Case) -> str | None:
    """What differs, under JAX, from what the case says; None where it holds."""
    wrong, right = _run(case.folder / "wrong"), _run(case.folder / "right")
    if right.returncode != 0:
        return f"the corrected program fails: {_last_line(right.stderr)}"
    if case.outcome == "silent":
        if wrong.returncode != 0:
            return f"the program fails: {_last_line(wrong.stderr)}"
        return "both versions print the same" if wrong.stdout == right.stdout else None
    if wrong.returncode == 0:
        return "the program does not fail"
    raised = re.findall(r"^(?:\w+\.)*(\w+)(?::.*)?$", wrong.stderr, re.MULTILINE)
    return None if case.error in raised else f"the program fails with {_last_line(wrong.stderr)}"


def _report(case: Case, side: str, preview: bool) -> list[tuple[str, int, str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = _unmarked(case, side, Path(name))
        found = [
            (Path(each.filename).relative_to(folder).as_posix(), each.start.row, each.code)
            for each in jaxlint.check_paths(folder, preview=preview)
        ]
    mistakes = case.marked if side == "wrong" else set()
    return [each for each in found if not each[2].startswith(MIGRATION) or each[:2] in mistakes]


def _unmarked(case: Case, side: str, into: Path) -> Path:
    """A copy of a program without the marks."""
    folder = into.resolve() / "program"
    shutil.copytree(case.folder / side, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.rglob("*.py"):
        path.write_text(_MARK.sub("", path.read_text(encoding="utf-8")), encoding="utf-8")
    return folder


def _run(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program, in a process forked from one that has imported JAX and its libraries: most of the time goes into that."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LIBRARIES)
    with tempfile.TemporaryDirectory() as name:
        output, errors = Path(name, "output"), Path(name, "errors")
        process = context.Process(target=_program, args=(folder, output, errors))
        process.start()
        process.join(SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
        printed, raised = (path.read_text(encoding="utf-8") for path in (output, errors))
        return subprocess.CompletedProcess(["main.py"], process.exitcode or 0, printed, raised)


def _program(folder: Path, output: Path, errors: Path) -> None:
    for descriptor, path in ((1, output), (2, errors)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), descriptor)
    gc.freeze()  # no search for garbage goes through the libraries
    # Each program compiles a little and runs it once; quick compilation gives what it prints sooner.
    quickly = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
    os.environ.setdefault("XLA_FLAGS", quickly)
    os.chdir(folder)
    sys.dont_write_bytecode = True
    sys.argv = ["main.py"]
    sys.path.insert(0, str(folder))
    try:
        runpy.run_path("main.py", run_name="__main__")
    finally:
        atexit._run_exitfuncs()  # a forked process runs none by itself, and JAX prints the rest of its output there


def _last_line(text: str) -> str:
    return next(
        (line for line in reversed(text.splitlines()) if line and not line.startswith(("-", "For simplicity"))), ""
    )
