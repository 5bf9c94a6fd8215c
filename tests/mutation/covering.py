"""Which lines each test executes, as a plugin of pytest.

What a cached function does for the first test that calls it, it has done for all: its lines are *shared*. So is what the
setup of a test executes by the tests of its module.
"""

from __future__ import annotations

import functools
import gc
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

Lines = dict[str, set[int]]


class Covering:
    """Traces lines of some files below a folder while tests run."""

    def __init__(self, folder: Path, files: Iterable[str], output: Path) -> None:
        self.paths = {f"{folder}/{file}": file for file in files}
        self.output = output
        self.tests: dict[str, dict[str, Any]] = {}
        self.modules: dict[str, Lines] = defaultdict(lambda: defaultdict(set))
        self.shared: Lines = defaultdict(set)
        self.lines: Lines = defaultdict(set)
        self.cached: set[CodeType] = set()
        self.complete: set[CodeType] = set()  # functions of which the test has executed every row
        self.rows: dict[CodeType, set[int]] = {}
        self.depth = 0  # of cached functions that are being executed

    # --- hooks --------------------------------------------------------------------------------

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_setup(self, item: Any) -> Iterator[None]:
        self.lines = self.modules[item.path.name]
        sys.settrace(self._called)
        yield
        sys.settrace(None)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        self.lines = defaultdict(set)
        self.complete.clear()
        self._find_cached()
        before = time.process_time()
        sys.settrace(self._called)
        outcome = yield
        sys.settrace(None)
        seconds = time.process_time() - before
        if outcome.excinfo is None:
            self.tests[item.nodeid] = {"module": item.path.name, "seconds": round(seconds, 3), "lines": self.lines}

    def pytest_sessionfinish(self) -> None:
        for test in self.tests.values():
            for path, rows in self.modules[test["module"]].items():
                test["lines"][path] |= rows
        record = {
            "tests": {name: {**test, "lines": _sorted(test["lines"])} for name, test in self.tests.items()},
            "shared": _sorted(self.shared),
        }
        self.output.write_text(json.dumps(record), encoding="utf-8")

    # --- tracing ------------------------------------------------------------------------------

    def _find_cached(self) -> None:
        """Functions behind ``functools.lru_cache``."""
        if len(sys.modules) == getattr(self, "_loaded", 0):
            return
        self._loaded = len(sys.modules)
        for each in gc.get_objects():
            if type(each) is functools._lru_cache_wrapper and isinstance(each.__wrapped__, FunctionType):
                self.cached.add(each.__wrapped__.__code__)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any | None:
        code = frame.f_code
        path = self.paths.get(code.co_filename)
        if path is None or (code in self.complete and not self.depth):
            return None
        rows = (self.shared if self.depth else self.lines)[path]
        add = rows.add
        add(frame.f_lineno)
        if code in self.cached:
            self.depth += 1
            shared = self.shared[path]

            def cached(frame: FrameType, event: str, argument: Any) -> Any:
                shared.add(frame.f_lineno)
                if event == "return":
                    self.depth -= 1
                return cached

            return cached

        if code not in self.rows:
            self.rows[code] = {row for _, _, row in code.co_lines() if row is not None}

        def line(frame: FrameType, event: str, argument: Any) -> Any:
            if event == "line":
                add(frame.f_lineno)
            elif event == "return" and self.rows[code] <= rows and not self.depth:
                self.complete.add(code)
            return line

        return line


def _sorted(lines: Lines) -> dict[str, list[int]]:
    return {path: sorted(rows) for path, rows in sorted(lines.items())}
