"""What functions and objects of libraries do with what they are given, measured by calling them with recorders.

A call is a small program in the values of `library_calls.VALUES`; its last expression is the call that is measured.
`f` and its kin are recorders: functions that note what they are given. `key` is a random key.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import importlib.metadata
import inspect
import json
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import jax

from jaxlint.knowledge.probe import library_calls
from jaxlint.knowledge.probe.library_kinds import Recorder, common
from jaxlint.knowledge.probe.library_programs import Program, Row, measure, signature_of, value_of

DATA = Path(__file__).parents[1] / "data" / "libraries"
ENOUGH = 5  # objects of a class whose methods are called: the others are taken to do the same


class Rows:
    """All that is measured of a package, by name."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.rows: dict[str, Row] = {}
        self.failed: list[str] = []
        self.aliases: dict[str, str] = {}

    def add(self, source: str) -> bool:
        """Measure a call, with arrays and with trees of them in their place. False: it cannot be run."""
        found = []
        names = set(re.findall(r"\w+", source))
        for values in ({}, library_calls.TREES)[: 1 + (not names.isdisjoint(library_calls.TREES))]:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found.append(measure(source, self.package, values))
            except Exception as error:
                if not values:
                    self.failed.append(f"  {source!r}: {type(error).__name__}: {str(error)[:160]}")
                    return False
        for name, row in found:
            self.rows[name] = _merged(self.rows[name], row) if name in self.rows else row
        return True

    def makers(self, source: str) -> Iterator[str]:
        """The calls that make the objects whose methods a program calls, and those that it hands over."""
        program = Program.of(source)
        before = "".join(f"{ast.unparse(each)}\n" for each in program.before)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and self.is_public(program, node):
                yield before + ast.unparse(node)

    def is_public(self, program: Program, node: ast.Call) -> bool:
        """Whether a call that stands in a program is one of a public function or class of the package."""
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            module = library_calls.VALUES.get(node.func.value.id)
            named = inspect.ismodule(module) and module.__name__.partition(".")[0] == self.package
            return named and ast.dump(node) != ast.dump(program.call)
        return False

    def finished(self) -> dict[str, Row]:
        """The rows by name; what all objects of a class do alike is said of the class."""
        rows = {name: _finished(row) for name, row in sorted(self.rows.items())}
        shared: dict[str, list[str]] = {}
        for name in rows:
            maker, _, method = name.rpartition(".")
            cls = self.class_of(maker) if maker.endswith((")", "]")) else ""
            if cls:
                shared.setdefault(f"{cls}().{method}", []).append(name)
        for of_class, names in shared.items():
            first, *others = (rows[name] for name in names)
            result = functools.reduce(common, [each["result"] for each in others], first["result"])
            parameters = {each["parameters"] for each in (first, *others)}
            if not others or result == "unknown" or len(parameters) > 1:
                continue
            if len({tuple(each.get("draws", ())) for each in (first, *others)}) > 1:
                continue
            rows[of_class] = {
                name: value for name, value in {**first, "result": result}.items() if name not in ("calls", "options")
            }
            for name in names:
                if name != of_class and "calls" in rows[name]:
                    rows[name]["result"] = result
                elif name != of_class:
                    del rows[name]
        return rows

    def is_settled(self, cls: str, method: str) -> bool:
        """Whether enough objects of a class, which is none that is called itself, have shown what the method does."""
        if not cls or cls in self.rows:
            return False
        same = [
            each
            for each in self.rows
            if each.endswith(f"().{method}") and self.class_of(each.rpartition(".")[0]) == cls
        ]
        results = {json.dumps(self.rows[each]["result"]) for each in same}
        return len(same) >= ENOUGH and len(results) == 1

    def class_of(self, made: str) -> str:
        """The class of an object by how it is made: `gymnax.make()[0]`."""
        maker, _, item = made.removesuffix("]").rpartition("[") if made.endswith("]") else (made, "", "")
        row = self.rows.get(maker.removesuffix("()"))
        result = row["result"] if row is not None else ""
        if item and isinstance(result, list):
            result = result[int(item)]
        return result.partition(" ")[2] if isinstance(result, str) and result.startswith("object ") else ""


def measure_package(package: str, report: Callable[[str], None]) -> Rows:
    """All that is measured of a package, by name."""
    rows = Rows(package)
    library_calls.environment(package, Recorder)
    sources = dict.fromkeys(library_calls.CALLS.get(package, ()))
    for source in list(sources):
        sources.update(dict.fromkeys(rows.makers(source)))
    run = sum(map(rows.add, sources))
    report(f"{package} {release_of(package)}: {run} of {len(sources)} calls run")
    for line in rows.failed:
        report(line)
    public, called, methods = _guessed(rows)
    report(f"  {called} of {public} public functions and classes called, {methods} methods")
    return rows


def _guessed(rows: Rows) -> tuple[int, int, int]:
    """Call what is public by the names of parameters; how many there are, how many are called, and how many methods."""
    public = called = 0
    methods: set[str] = set()
    seen: dict[int, str] = {}
    for path in library_calls.MODULES[rows.package]:
        for name, value in sorted(vars(importlib.import_module(path)).items()):
            if name.startswith("_") or not callable(value) or inspect.ismodule(value):
                continue
            if not str(getattr(value, "__module__", "")).startswith(path.partition(".")[0]):
                continue
            if id(value) in seen:
                rows.aliases[f"{path}.{name}"] = seen[id(value)]
                continue
            seen[id(value)] = f"{path}.{name}"
            if inspect.isclass(value) and (inspect.isabstract(value) or issubclass(value, BaseException)):
                continue
            public += 1
            dotted = f"{path}.{name}"
            sources = [] if dotted in rows.rows else _first(rows, f"{path}.{name}", value, "")
            called += bool(sources) or dotted in rows.rows
            for source in sources:
                methods.update(_methods_of(rows, dotted, source))
    return public, called, len(methods)


def _first(rows: Rows, dotted: str, function: Any, receiver: str) -> list[str]:
    """Of the calls of a function that differ in what they pass, the first of each that works."""
    found: dict[tuple[int, bool], str] = {}
    known = len(rows.failed)
    for source in library_calls.guesses(dotted, signature_or_none(function), receiver):
        call = Program.of(source).call
        kinds = len(call.args) + len(call.keywords), "schedule" in source
        if kinds not in found and rows.add(source):
            found[kinds] = source
    del rows.failed[known:]
    return list(found.values())


def _methods_of(rows: Rows, dotted: str, source: str) -> Iterator[str]:
    row = rows.rows.get(dotted)
    if row is None or not str(row["result"]).startswith("object"):
        return
    cls = rows.class_of(f"{dotted}()")
    environment = library_calls.environment(rows.package, Recorder)
    made = value_of(ast.parse(source).body[-1].value, environment)  # type: ignore[attr-defined]
    for name in sorted(library_calls.METHODS.get(rows.package, dir(made))):
        with contextlib.suppress(Exception):
            method = getattr(made, name)
            if not name.startswith("_") and callable(method) and not inspect.isclass(method):
                if name in library_calls.NO_METHODS or rows.is_settled(cls, name):
                    continue
                if _first(rows, f"made.{name}", method, source):
                    yield f"{dotted}().{name}"


def signature_or_none(function: Any) -> inspect.Signature | None:
    try:
        return signature_of(function)
    except (TypeError, ValueError):
        return None


def _merged(first: Row, second: Row) -> Row:
    """Two calls of one function: each shows some of what it does; where they do not agree, nothing is known."""
    row = {**second, **first, "calls": dict(first["calls"])}
    for path, call in second["calls"].items():
        known = first["calls"].get(path)
        row["calls"][path] = call if known is None else {**known, "with": common(known["with"], call["with"])}
    row["draws"] = {**second["draws"], **{n: d and second["draws"].get(n, d) for n, d in first["draws"].items()}}
    row["passed"] = sorted({*first["passed"], *second["passed"]})
    row["always"] = sorted({*first["always"]} & {*second["always"]})
    row["options"] = sorted({*first["options"]} & {*second["options"]})
    extra = set(second["passed"]) - set(first["passed"])
    if len(extra) == 1 and first["result"] != second["result"]:
        row["given"] = {**first.get("given", {}), extra.pop(): second["result"]}
    else:
        row["result"] = common(first["result"], second["result"])
    return row


def _finished(row: Row) -> Row:
    """A row without what says nothing."""
    draws = sorted(name for name, draws in row["draws"].items() if draws)
    kept = {"parameters": row["parameters"], "result": row["result"], "calls": row["calls"], "draws": draws}
    kept["given"] = row.get("given")
    optional = {each.strip("*=") for each in row["parameters"].split(", ") if each.endswith("=")}
    kept["passed"] = sorted(optional & set(row["passed"]))
    kept["options"] = row["options"]
    kept["always"] = sorted(optional & set(row["always"]))
    return {**{name: value for name, value in kept.items() if value or name == "parameters"}, "call": row["call"]}


def release_of(package: str) -> str:
    return importlib.metadata.version(importlib.metadata.packages_distributions()[package][0])


def sections(rows: Rows) -> dict[str, Any]:
    releases = {rows.package: release_of(rows.package), "jax": jax.__version__}
    functions = rows.finished()
    aliases = {alias: name for alias, name in sorted(rows.aliases.items()) if name in functions}
    found: dict[str, Any] = json.loads(json.dumps({"releases": releases, "aliases": aliases, "functions": functions}))
    return found


def write(path: Path, found: dict[str, Any]) -> None:
    """One entry a line: tables of results keep their order, which is that of the fields."""
    parts = []
    for section, table in found.items():
        lines = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(table.items())]
        parts.append(f"{json.dumps(section)}: {{\n" + ",\n".join(lines) + "\n}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8", newline="\n")


def main(packages: Iterable[str], check: bool, report: Callable[[str], None] = print) -> int:
    """Measure packages, by default all, and write what is found, or compare it with what is in the data files."""
    differing = 0
    for package in packages or library_calls.MODULES:
        try:
            importlib.import_module(package)
        except ImportError as error:
            report(f"{package}: not measured: {error}")
            continue
        found = sections(measure_package(package, report))
        path = DATA / f"{package}.json"
        if not check:
            DATA.mkdir(exist_ok=True)
            write(path, found)
            continue
        known = json.loads(path.read_text(encoding="utf-8"))["functions"]
        for name in sorted({*found["functions"], *known}):
            if found["functions"].get(name) != known.get(name):
                differing += 1
                report(f"  {name}: {known.get(name)} in the file, {found['functions'].get(name)} measured")
    return 1 if differing else 0
