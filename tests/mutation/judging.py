"""Judges mutants: the tests that execute the changed line run in a process that imports the changed module."""

from __future__ import annotations

import ast
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from operators import Place

HERE = Path(__file__).resolve().parent
MEMORY = 4 << 30
SHARE = 20  # a test may take this many times what it takes unchanged, and a few seconds
SECONDS = 5.0
# pytest rewrites the assertions of every module named `test_*`, those of the package too, and would import the file itself.
OPTIONS = ["-q", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-W", "ignore", "--assert=plain"]


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: killed by a test, or "survived", "not covered"."""

    status: str
    by: str = ""  # the test that failed, or what else went wrong
    tests: int = 0  # how many were to run
    seconds: float = 0.0


@dataclass
class Task:
    """A mutant to judge, and the tests that may notice it, those first that are likely to."""

    place: Place
    text: str
    tests: list[str] = field(default_factory=list)
    imported: bool = False  # whether it changes what is executed when its module is imported

    @property
    def path(self) -> str:
        return self.place.mutant.path


Report = Callable[[Task, Verdict], None]


class Coverage:
    """Which tests execute which lines.

    Where it is not ``complete``, only tests that execute the changed module are run, and each mutant imports it anew: tests
    that run under JAX cannot start where JAX has been imported before the process was forked.
    """

    def __init__(self, path: Path, complete: bool = True) -> None:
        record = json.loads(path.read_text(encoding="utf-8"))
        self.complete = complete
        self.tests: dict[str, dict[str, Any]] = record["tests"]
        self.lines = {
            name: {file: set(rows) for file, rows in test["lines"].items()} for name, test in self.tests.items()
        }
        self.size = {name: sum(map(len, files.values())) for name, files in self.lines.items()}
        self.shared = {file: set(rows) for file, rows in record["shared"].items()}
        self._slowest: dict[str, float] = defaultdict(float)
        for name, test in self.tests.items():
            module = name.partition("::")[0]
            self._slowest[module] = max(self._slowest[module], test["seconds"])

    def task(self, place: Place, text: str) -> Task:
        path = place.mutant.path
        rows = rows_of(place, text)
        if rows is None or rows & self.shared.get(path, set()) or not _can_be_replaced(place, text):
            near = [name for name, files in self.lines.items() if path in files]
            rest = [name for name in self.tests if path not in self.lines[name]] if self.complete else []
            return Task(place, text, self._sorted(near) + self._sorted(rest), imported=True)
        chosen = [name for name, files in self.lines.items() if rows & files.get(path, set())]
        return Task(place, text, self._sorted(chosen), imported=not self.complete)

    def _sorted(self, names: Iterable[str]) -> list[str]:
        return sorted(names, key=lambda name: self.tests[name]["seconds"] * 1e5 + self.size[name])

    def limit(self, name: str) -> float:
        """Seconds for a test, which may be the one that makes what all tests of its module share."""
        return SECONDS + SHARE * self._slowest[name.partition("::")[0]]


def covered(
    arguments: Sequence[str], output: Path, root: Path, files: Sequence[str], complete: bool = True
) -> Coverage:
    """Which lines of the files the tests execute, measured in a process of its own."""
    output.parent.mkdir(parents=True, exist_ok=True)
    code = (
        "import sys; from pathlib import Path; import pytest; sys.path.insert(0, sys.argv[1]); import covering;"
        "plugin = covering.Covering(Path(sys.argv[2]), sys.argv[4].split(), Path(sys.argv[3]));"
        "sys.exit(pytest.main(sys.argv[5:], plugins=[plugin]))"
    )
    command = [sys.executable, "-c", code, str(HERE), str(root), str(output), " ".join(files), *arguments, *OPTIONS]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"the tests fail before anything is changed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return Coverage(output, complete)


def rows_of(place: Place, text: str) -> set[int] | None:
    """The rows of the statement that a mutant changes; None where it is executed when the module is imported."""
    row = text.count("\n", 0, place.start) + 1
    last = text.count("\n", 0, place.end) + 1
    found: set[int] | None = None
    body: Sequence[ast.AST] = ast.parse(text).body
    inside = False
    while True:
        around = next(
            (each for each in _statements(body) if _first(each) <= row and last <= (each.end_lineno or 0)), None
        )
        if around is None:
            return found
        inner = _statements(ast.iter_child_nodes(around))
        below = next((each for each in inner if _first(each) <= row and last <= (each.end_lineno or 0)), None)
        if below is None:
            ends = [_first(each) - 1 for each in _statements(ast.iter_child_nodes(around)) if _first(each) > row]
            header = set(range(_first(around), max(min([around.end_lineno or 0, *ends]), last) + 1))
            return header if inside else None
        inside = inside or isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef))
        body = [below]


def _statements(nodes: Iterable[ast.AST]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for node in nodes:
        if isinstance(node, ast.stmt):
            found.append(node)
        elif isinstance(node, (ast.excepthandler, ast.match_case)):
            found += node.body
    return found


def _first(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(each.lineno for each in decorators)])


# --- the process of a mutant ----------------------------------------------------------------------


class _Changed(importlib.abc.MetaPathFinder, importlib.machinery.SourceFileLoader):
    """Imports one module from a text instead of its file."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        packages = [str(Path(self.path).parent)] if Path(self.path).name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self.path, loader=self, submodule_search_locations=packages
        )

    def get_code(self, fullname: str) -> Any:
        return compile(self._text, self.path, "exec", dont_inherit=True)


def module_name(path: str) -> str:
    parts = Path(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class _Processes:
    """Runs a function for each mutant in a process of its own, some at a time."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.running: dict[int, tuple[Task, int, str, float]] = {}

    def run(self, tasks: Iterable[Task], child: Callable[[Task, str, int], None]) -> Iterator[tuple[Task, Verdict]]:
        """``child`` is given the task, a folder and a pipe that takes the verdict; it may end the process."""
        for task in tasks:
            while len(self.running) >= self.jobs:
                yield self._ended()
            reader, writer = os.pipe()
            folder = tempfile.mkdtemp(prefix="mutant-")
            process = os.fork()
            if process == 0:
                try:
                    log = os.open(os.path.join(folder, "log"), os.O_CREAT | os.O_WRONLY)
                    for stream in (1, 2):
                        os.dup2(log, stream)
                    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                    child(task, folder, writer)
                finally:
                    os._exit(1)
            os.close(writer)
            self.running[process] = (task, reader, folder, time.monotonic())
        while self.running:
            yield self._ended()

    def _ended(self) -> tuple[Task, Verdict]:
        process, status = os.wait()
        task, reader, folder, begun = self.running.pop(process)
        with os.fdopen(reader, "rb") as pipe:
            said = pipe.read()
        shutil.rmtree(folder, ignore_errors=True)
        outcome, by = json.loads(said) if said else ("killed", f"the process ended with status {status}")
        if outcome == "error":
            raise RuntimeError(f"{task.place.mutant}: {by}")
        return task, Verdict(outcome, by, len(task.tests), round(time.monotonic() - begun, 1))


class _Running:
    """Runs collected tests in the order given; the first that fails, or takes too long, ends the process."""

    def __init__(self, coverage: Coverage, output: int) -> None:
        self.coverage, self.output = coverage, output
        self.running = "what is done before the first test"
        signal.signal(signal.SIGPROF, self._late)
        signal.setitimer(signal.ITIMER_PROF, 60)

    def say(self, status: str, by: str) -> None:
        os.write(self.output, json.dumps([status, by]).encode())

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.running = nodeid
        signal.setitimer(signal.ITIMER_PROF, self.coverage.limit(nodeid))

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.say("killed", report.nodeid)
            os._exit(1)

    def _late(self, *_: Any) -> None:
        self.say("killed", f"{self.running}: takes too long")
        os._exit(1)


def judge(tasks: Sequence[Task], coverage: Coverage, root: Path, jobs: int, report: Report) -> None:
    """Judge mutants, and report each verdict as it comes."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.chdir(root)
    sys.path.insert(0, str(root))
    for task in tasks:
        if not task.tests:
            report(task, Verdict("not covered"))
    # A module whose import is changed is imported by the process of the mutant.
    _import_changed([task for task in tasks if task.tests and task.imported], coverage, root, jobs, report)
    # All others start where everything has been imported, and get other functions.
    _replace_functions([task for task in tasks if task.tests and not task.imported], coverage, root, jobs, report)


def verdicts(tasks: Sequence[Task], coverage: Coverage, root: Path, jobs: int = 1) -> list[tuple[Task, Verdict]]:
    found: list[tuple[Task, Verdict]] = []
    judge(tasks, coverage, root, jobs, lambda task, verdict: found.append((task, verdict)))
    return found


def _import_changed(tasks: list[Task], coverage: Coverage, root: Path, jobs: int, report: Report) -> None:
    import hypothesis  # noqa: F401
    import libcst.metadata  # noqa: F401
    import pathspec  # noqa: F401
    import pytest
    import rich.console  # noqa: F401

    assert not any(name.split(".")[0] == "jaxlint" for name in sys.modules)

    def child(task: Task, folder: str, output: int) -> None:
        _change_import(task, root)
        running = _Running(coverage, output)
        order = {name: number for number, name in enumerate(task.tests)}

        class Chosen:
            def pytest_collection_modifyitems(self, items: list[Any]) -> None:
                items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])

        code = pytest.main([*_files(task.tests), *OPTIONS, f"--basetemp={folder}/tests"], plugins=[running, Chosen()])
        if code == pytest.ExitCode.NO_TESTS_COLLECTED:
            running.say("error", "none of the tests was found")
        else:
            running.say("survived" if code == 0 else "killed", "" if code == 0 else "nothing could be collected")

    for task, verdict in _Processes(jobs).run(tasks, child):
        report(task, verdict)


def _change_import(task: Task, root: Path) -> None:
    name = module_name(task.path)
    sys.meta_path.insert(0, _Changed(name, str(root / task.path), task.place.applied(task.text)))


def _files(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name.partition("::")[0] for name in names))


def _replace_functions(tasks: list[Task], coverage: Coverage, root: Path, jobs: int, report: Report) -> None:
    """Collects all tests once; the process of every mutant starts from there."""
    import pytest

    class Session:
        def pytest_runtestloop(self, session: Any) -> bool:
            items = {item.nodeid: item for item in session.items}
            functions: dict[str, list[FunctionType]] = defaultdict(list)
            for each in gc.get_objects():
                if type(each) is FunctionType and each.__code__.co_filename.startswith(str(root)):
                    functions[each.__code__.co_filename].append(each)
            gc.freeze()  # the processes share what is not written to

            def child(task: Task, folder: str, output: int) -> None:
                running = _Running(coverage, output)
                session.config.pluginmanager.register(running)
                session.config._tmp_path_factory._basetemp = Path(folder)
                path = str(root / task.path)
                if module_name(task.path) not in sys.modules:
                    _change_import(task, root)
                elif not _replace(task, path, functions[path]):
                    running.say("error", "the changed function was not found")
                    return
                chosen = [items[name] for name in task.tests]
                for item, following in zip(chosen, [*chosen[1:], None]):
                    session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                running.say("survived", "")

            for task, verdict in _Processes(jobs).run(tasks, child):
                report(task, verdict)
            return True

    if tasks:
        pytest.main([*_files(name for task in tasks for name in task.tests), *OPTIONS, "-s"], plugins=[Session()])


_Codes = dict[tuple[tuple[str, int], ...], CodeType]


def _functions_of(text: str, path: str) -> _Codes:
    """The functions and methods of a module by their names, which are counted where some are alike."""
    found: _Codes = {}

    def collect(code: CodeType, name: tuple[tuple[str, int], ...]) -> None:
        counted: Counter[str] = Counter()
        for inner in code.co_consts:
            if isinstance(inner, CodeType) and not inner.co_name.startswith("<"):
                key = (*name, (inner.co_name, counted[inner.co_name]))
                counted[inner.co_name] += 1
                if inner.co_flags & 2:  # a function: it has locals of its own
                    found[key] = inner
                else:
                    collect(inner, key)

    collect(compile(text, path, "exec", dont_inherit=True), ())
    return found


def _can_be_replaced(place: Place, text: str) -> bool:
    """Whether functions can be given the code of the changed module, and nothing else of it has changed."""
    before, after = _functions_of(text, "m.py"), _functions_of(place.applied(text), "m.py")
    return before.keys() == after.keys() and all(before[key].co_freevars == after[key].co_freevars for key in before)


def _replace(task: Task, path: str, functions: list[FunctionType]) -> bool:
    """Give the functions of a module the code that they have in the changed text."""
    before, after = _functions_of(task.text, path), _functions_of(task.place.applied(task.text), path)
    changed = {(code.co_name, code.co_firstlineno): after[key] for key, code in before.items() if code != after[key]}
    replaced = False
    for function in functions:
        code = changed.get((function.__code__.co_name, function.__code__.co_firstlineno))
        if code is not None:
            function.__code__ = code
            replaced = True
    return replaced
