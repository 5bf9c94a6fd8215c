"""A pytest plugin that records what every expression of a package is while its tests run.

    JAXLINT_OBSERVED="PACKAGE FOLDER OUTPUT SECONDS" python -m pytest -p observing TESTS

The modules of PACKAGE below FOLDER are instrumented as they are imported, its tests excepted. For each *activation* (test
file, function, whether a transform is around and whether the code is staged, what the function is entered with) and each
expression the classes of its values are kept, and written to OUTPUT as JSON. No test begins SECONDS after the first.
"""

from __future__ import annotations

import importlib.machinery
import json
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from jax._src import core

from jaxlint.analysis.domain.entry_state import CLASS
from jaxlint.source.reading import read_source
from jaxlint.verify.instrument import HERE, RECORD, Span, instrumented
from jaxlint.verify.oracle import DATA, PARTS, fact, named

SECONDS_EACH = 60  # of one test
ACTIVATIONS = 400  # of one function in one test file; what comes after is left out
FACTS = 32  # of one expression in one activation
LEFT_OUT = -1
NO_DATA = (str, bytes, type(None), dict, list, tuple, set, type, type(os), type(len), type(lambda: 0))


def is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.stem.endswith(("_test", "_tests")) or path.name == "conftest.py"


def details(value: Any) -> tuple[str, str, Any, Any]:
    """The class of a value, its dtype, shape, and whether it is of a weak type."""
    what = fact(value)
    if what == "scalar":
        return what, type(value).__name__, None, None
    if what not in DATA:
        return what, "", None, None
    try:
        shape = [size if isinstance(size, int) else None for size in np.shape(value)]
        weak = bool(getattr(value, "weak_type", False)) if what != "numpy" else None
        return what, str(value.dtype), tuple(shape), weak
    except Exception:  # an abstract value of another kind, such as an effect token
        return what, "", None, None


def is_transformed() -> bool:
    """Whether any trace is around: operations may give tracers."""
    return not isinstance(core.trace_ctx.trace, core.EvalTrace)


def is_staged() -> bool:
    """Whether operations are being written down, by any trace around."""
    trace = core.trace_ctx.trace
    while trace is not None:
        if type(trace).__name__ == "DynamicJaxprTrace":
            return True
        trace = getattr(trace, "parent_trace", None)
    return False


class Recorder:
    """What is recorded of one process."""

    def __init__(self) -> None:
        self.root = ""  # the test file that runs; empty while pytest imports modules
        self.end = 0.0  # when no test begins any more; set by the first
        self.numbers: dict[Any, int] = {}
        self.counts: dict[Any, int] = defaultdict(int)
        self.facts: dict[tuple[int, int, int], set[Any]] = defaultdict(set)

    def number(self, file: str, span: Span | None, transformed: bool, staged: bool, entry: tuple[Any, ...]) -> int:
        key = (self.root, file, span, transformed, staged, entry)
        known = self.numbers.get(key)
        if known is None:
            place = (self.root, file, span)
            self.counts[place] += 1
            known = len(self.numbers) if self.counts[place] <= ACTIVATIONS else LEFT_OUT
            if known != LEFT_OUT:
                self.numbers[key] = known
        return known

    def write(self, path: str) -> None:
        order = sorted(self.numbers, key=lambda key: self.numbers[key])
        facts: dict[int, list[Any]] = defaultdict(list)
        for (here, start, end), seen in self.facts.items():
            facts[here].append([start, end, sorted(seen, key=repr)])
        names = ("root", "file", "function", "transformed", "staged", "entry")
        found = [{**dict(zip(names, key)), "facts": facts[n]} for n, key in enumerate(order)]
        Path(path).write_text(json.dumps(found))


class Recorded:
    """What the instrumented code of one file calls."""

    def __init__(self, recorder: Recorder, file: str) -> None:
        self.recorder = recorder
        self.file = file

    def __call__(self, span: Span, value: Any, here: int) -> Any:
        if not isinstance(value, NO_DATA) and here != LEFT_OUT:
            found = details(value)
            if found[0] != "other":
                seen = self.recorder.facts[here, span[0], span[1]]
                if len(seen) < FACTS:
                    seen.add(found)
        return value

    def enter(self, span: Span, names: tuple[str, ...], variables: dict[str, Any]) -> int:
        entry = {}
        for name, value in variables.items():
            if name not in (HERE, "__class__"):
                for part, inner in (("", value), *_parts(value)):
                    entry[name + part] = _entered(inner)
                    if _is_object(inner) and (hasattr(inner, "__dict__") or hasattr(type(inner), "__slots__")):
                        entry[f"{name}{part}.{CLASS}"] = _entered(type(inner).__name__)
        entered = tuple(sorted(entry.items(), key=lambda item: item[0]))
        return self.recorder.number(self.file, span, is_transformed(), is_staged(), entered)


def _entered(value: Any) -> tuple[Any, ...]:
    """What a value is when a function is entered with it, and what it says: of data the form, of flags and names all."""
    if value is None or type(value) in (bool, int) or (type(value) is str and len(value) < 40):
        return "other" if value is None or type(value) is str else "scalar", repr(value), None, None
    if type(value) is type(_entered):
        return "other", named(value.__code__.co_name, value.__code__.co_firstlineno), None, None
    return details(value)


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """What a value holds, named as ``jaxlint.analysis.domain.entry_state`` names it."""
    if isinstance(value, (list, tuple)):
        for number, inner in enumerate(value[:PARTS]):
            yield f"[{number}]", inner
    elif isinstance(value, dict):
        for key, inner in list(value.items())[:PARTS]:
            yield f"[{key!r}]", inner
    elif _is_object(value):
        for name, inner in list(_fields(value).items())[:PARTS]:
            yield f".{name}", inner


def _is_object(value: Any) -> bool:
    return fact(value) == "other" and not isinstance(value, (type, type(os)))


def _fields(value: Any) -> dict[str, Any]:
    """The attributes of an object, those in slots too."""
    found: dict[str, Any] = {}
    for cls in type(value).__mro__:
        slots = vars(cls).get("__slots__")
        if type(slots) is tuple:
            found.update(
                (name, getattr(value, name)) for name in slots if not name.startswith("__") and hasattr(value, name)
            )
    fields = getattr(value, "__dict__", None)
    return {**found, **fields} if type(fields) is dict else found


class Finder:
    """Finds the modules of one package below one folder, and instruments them."""

    def __init__(self, package: str, folder: str, recorder: Recorder) -> None:
        self.package = package
        self.folder = os.path.realpath(folder)
        self.recorder = recorder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] != self.package:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        file = os.path.realpath(spec.origin) if spec is not None and spec.origin else ""
        if file.startswith(self.folder + os.sep) and file.endswith(".py") and not is_test(Path(file)):
            spec.loader = Loader(name, file, Recorded(self.recorder, file))
        return spec


class Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, file: str, recorded: Recorded) -> None:
        super().__init__(name, file)
        self.recorded = recorded

    def get_code(self, fullname: str) -> Any:
        return instrumented(read_source(self.path).text, self.path, activations=True)

    def exec_module(self, module: Any) -> None:
        vars(module)[RECORD] = self.recorded
        vars(module)[HERE] = self.recorded.recorder.number(self.path, None, False, False, ())
        super().exec_module(module)


# --- pytest -----------------------------------------------------------------------------------------------------------

PACKAGE, FOLDER, OUTPUT, LIMIT = os.environ["JAXLINT_OBSERVED"].split(os.pathsep)
RECORDER = Recorder()
sys.meta_path.insert(0, Finder(PACKAGE, FOLDER, RECORDER))


def pytest_runtest_protocol(item: Any, nextitem: Any) -> None:
    RECORDER.root = os.path.realpath(item.path)
    RECORDER.end = RECORDER.end or time.monotonic() + float(LIMIT)
    if time.monotonic() > RECORDER.end:
        item.session.shouldstop = "the time of the package is over"


def pytest_runtest_setup(item: Any) -> None:
    def over(number: int, frame: Any) -> None:
        raise TimeoutError(f"the test takes more than {SECONDS_EACH} s")

    signal.signal(signal.SIGALRM, over)
    signal.alarm(SECONDS_EACH)


def pytest_runtest_teardown(item: Any, nextitem: Any) -> None:
    signal.alarm(0)
    if nextitem is None or nextitem.path != item.path:
        RECORDER.write(OUTPUT)  # so that what was seen is kept if a later test ends the process


def pytest_sessionfinish(session: Any, exitstatus: Any) -> None:
    signal.alarm(0)
    RECORDER.write(OUTPUT)
