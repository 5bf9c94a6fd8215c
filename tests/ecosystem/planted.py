"""Plant hazards in copies of real packages by inverting fixes, and let jaxlint find and fix them.

    python tests/ecosystem/planted.py [PACKAGE ...] [--folder FOLDER] [--work FOLDER] [--record]

Each package is copied twice. Its tests run with the modules instrumented, which shows what is a tracer. In one copy
hazards are planted wherever a value was one, and wherever the model says so of the code as its authors wrote it. Then
``jaxlint check --fix --unsafe-fixes`` runs over the copy, the result is compared with the original, and the tests of the
package run on both. ``--record`` writes docs/planted.md. Needs the packages' own dependencies, and theirs for tests.
"""

from __future__ import annotations

import argparse
import datetime
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import libcst as cst
import oracle
import sources
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper, ParentNodeProvider

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from jaxlint.project.sources import Project
from jaxlint.run.reveal import Revealed
from jaxlint.source.reading import read_source
from jaxlint.source.text import Source, SourceError

PAGE = ROOT / "docs" / "planted.md"
SECONDS = 900  # for the tests of a package


@dataclass(frozen=True)
class Package:
    """A pinned package whose own tests run here."""

    name: str
    code: str  # folder of the modules in which hazards are planted
    tests: tuple[str, ...]  # what pytest is given
    path: str = "."  # what PYTHONPATH is to hold


# Those of its tests that take minutes.
INTERPAX = ("TestAkima1DInterpolator", "TestPPolyCommon", "TestPolySubclassing", "TestPCHIP", "TestCubicSpline")

PACKAGES = {
    each.name: each
    for each in (
        Package(
            "gymnax",
            "gymnax",
            ("tests/test_terminal_states.py", "tests/test_differentiability.py", "tests/test_spaces.py"),
        ),
        Package("interpax", "interpax", tuple(f"tests/test_scipy.py::{each}" for each in INTERPAX)),
        Package("orthax", "orthax", ("tests/test_polyutils.py", "tests/test_polynomial.py")),
        Package(
            "tinygp", "src/tinygp", ("tests/test_noise.py", "tests/test_transforms.py", "tests/test_kernels"), "src"
        ),
    )
}

# Why a planted hazard is not fixed where it stands, by package and place.
_ANY_METHOD = "the keys go to methods that other classes define: which of them draws is not known, and what is not known is silent"
_ANY_FUNCTION = "the keys go to functions of an object that is handed over: whether they draw is not known"
EXPLAINED = {
    ("gymnax", "environments/environment.py:76"): _ANY_METHOD,
    (
        "gymnax",
        "environments/minatar/seaquest.py:111",
    ): "reported, and fixed, in `_spawn_entities`, where both keys are drawn with",
    ("gymnax", "experimental/rollout.py:75"): _ANY_FUNCTION,
    ("gymnax", "experimental/rollout.py:81"): _ANY_FUNCTION,
    ("gymnax", "wrappers/evojax.py:36"): _ANY_FUNCTION,
    ("gymnax", "wrappers/purerl.py:85"): _ANY_FUNCTION,
}

# The rule that reports each kind of planted hazard.
KINDS = {
    "where": "JAX204",  # jnp.where(m, v, x)      ->  x.at[m].set(v)
    "numpy": "JAX301",  # jnp.f(x)                ->  np.f(x)
    "store": "JAX308",  # x = x.at[i].set(v)      ->  x[i] = v
    "split": "JAX401",  # a, b = split(key)       ->  the key in the place of a and b
}
REPORTED = {kind: {code} for kind, code in KINDS.items()} | {"split": {"JAX401", "JAX402", "JAX403"}}
CODES = sorted(set().union(*REPORTED.values()))

# NumPy's functions of these names refuse a tracer; others delegate to methods of the array.
NUMPY = {
    "abs", "add", "arctan2", "array", "asarray", "atleast_1d", "broadcast_to", "ceil", "concatenate", "cos", "cosh", "cross",
    "divide", "dot", "einsum", "equal", "exp", "expand_dims", "expm1", "floor", "full_like", "greater", "hypot", "isfinite",
    "isinf", "isnan", "less", "log", "log1p", "logical_and", "logical_not", "logical_or", "matmul", "maximum", "minimum",
    "multiply", "nan_to_num", "negative", "ones_like", "outer", "pad", "power", "sign", "sin", "sinh", "sqrt",
    "square", "stack", "subtract", "tan", "tanh", "tensordot", "tile", "tril", "triu", "vstack", "hstack", "where",
    "zeros_like", "append", "arccos", "arcsin", "arctan", "cbrt", "convolve", "float_power", "interp", "kron", "median", "mod",
    "remainder", "sinc", "vander",
}  # fmt: skip


@dataclass
class Place:
    """Where a hazard is, or could be, planted: text to replace, and the expressions on which it depends."""

    file: str
    kind: str
    row: int
    edits: list[tuple[int, int, str]]
    operands: list[tuple[int, int]]
    statement: tuple[int, int]  # rows
    scope: tuple[int, int] = (0, 0)  # rows of the function around it
    changed: tuple[int, ...] = ()  # rows of the edits, where they are apart
    known: bool = True  # to the model, and not only from the tests of the package
    found: bool = False
    left: bool = False  # whether it is still reported after the fixes
    mended: str = ""  # "as before", "as expected", or how it differs

    @property
    def rows(self) -> set[int]:
        """The rows that planting it changes, each with its statement where it is one statement."""
        return set(self.changed or range(self.statement[0], self.statement[1] + 1))

    @property
    def region(self) -> tuple[int, int]:
        """The rows that fixing it may change."""
        return self.scope if self.kind == "split" else self.statement


# --- candidates -------------------------------------------------------------------------------------------------------


class Candidates(cst.CSTVisitor):
    """The places in a module that have the form of a fixed hazard."""

    METADATA_DEPENDENCIES = (ByteSpanPositionProvider, ParentNodeProvider)

    def __init__(self, file: str, text: str) -> None:
        self.file, self.raw = file, text.encode()
        self.places: list[Place] = []
        self.functions: list[cst.FunctionDef] = []

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.functions.append(node)

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:
        self.functions.pop()

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Offsets in code points."""
        found = self.get_metadata(ByteSpanPositionProvider, node)
        start = len(self.raw[: found.start].decode())
        return start, start + len(self.raw[found.start : found.start + found.length].decode())

    def text(self, node: cst.CSTNode) -> str:
        found = self.get_metadata(ByteSpanPositionProvider, node)
        return self.raw[found.start : found.start + found.length].decode()

    def add(
        self, kind: str, node: cst.CSTNode, edits: list[tuple[int, int, str]], operands: Iterable[cst.CSTNode]
    ) -> None:
        if not self.functions:
            return
        statement: Any = node
        while not isinstance(statement, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            statement = self.get_metadata(ParentNodeProvider, statement)
        row = self.row(self.span(node)[0])
        changed = (
            tuple(self.row(offset) for start, end, _ in edits for offset in (start, end)) if kind == "split" else ()
        )
        spans = [self.span(each) for each in operands]
        scope, around = self.rows(self.functions[-1]), self.rows(statement)
        self.places.append(Place(self.file, kind, row, edits, spans, around, scope, changed))

    def row(self, offset: int) -> int:
        return self.raw.decode()[:offset].count("\n") + 1

    def rows(self, node: cst.CSTNode) -> tuple[int, int]:
        start, end = self.span(node)
        return self.row(start), self.row(end)

    def visit_Call(self, node: cst.Call) -> None:
        function = node.func
        if not (isinstance(function, cst.Attribute) and isinstance(function.value, cst.Name)):
            return
        if function.value.value == "jnp" and function.attr.value in NUMPY and all(not arg.keyword for arg in node.args):
            start, end = self.span(function.value)
            operands = [part for arg in node.args for part in _parts(arg.value)]
            if function.attr.value == "where" and self.is_masked(node):
                mask, value, array = (arg.value for arg in node.args)
                text = f"{self.text(array)}.at[{self.text(mask)}].set({self.text(value)})"
                self.add("where", node, [(*self.span(node), text)], [mask])
            else:
                self.add("numpy", node, [(start, end, "np")], operands)

    def is_masked(self, node: cst.Call) -> bool:
        """Whether a call has the form ``jnp.where(x > 0, 1.0, x)``: a number where a mask of the array holds."""
        if len(node.args) != 3 or any(arg.star for arg in node.args):
            return False
        mask, value, array = (arg.value for arg in node.args)
        number = value.expression if isinstance(value, cst.UnaryOperation) else value
        words = re.findall(r"\w+", self.text(mask))
        return isinstance(number, (cst.Integer, cst.Float)) and isinstance(array, cst.Name) and array.value in words

    def visit_Assign(self, node: cst.Assign) -> None:
        if len(node.targets) != 1:
            return
        target, call = node.targets[0].target, node.value
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
            return
        if isinstance(target, cst.Tuple):
            self.split(node, target, call)
            return
        method, update = call.func.attr.value, call.func.value
        operator = {"set": "=", "add": "+=", "multiply": "*="}.get(method)
        if (
            operator is None
            or len(call.args) != 1
            or not isinstance(target, cst.Name)
            or not isinstance(update, cst.Subscript)
        ):
            return
        at = update.value
        if not (isinstance(at, cst.Attribute) and at.attr.value == "at" and isinstance(at.value, cst.Name)):
            return
        if at.value.value == target.value and not call.args[0].star:
            whole = self.text(update)
            index = whole[whole.index("[") :]
            new = f"{target.value}{index} {operator} {self.text(call.args[0].value)}"
            self.add("store", node, [(*self.span(node), new)], [at.value])

    def split(self, node: cst.Assign, target: cst.Tuple, call: cst.Call) -> None:
        function = self.text(call.func)
        names = [each.value.value for each in target.elements if isinstance(each.value, cst.Name)]
        if not function.endswith("random.split") or len(names) != len(target.elements) or not self.functions:
            return
        key = call.args[0].value if call.args else None
        if not isinstance(key, cst.Name):
            return
        start, end = self.span(node)
        text = self.raw.decode()
        stop = self.span(self.functions[-1])[1]
        used = [name for name in names if name != key.value]
        pattern = r"(?<![\w.])(?:{})\b(?!\s*=[^=])".format("|".join(map(re.escape, used)))
        edits = [(start, end, "pass")]
        edits += [
            (found.start(), found.end(), key.value)
            for found in re.finditer(pattern, text[:stop])
            if found.start() >= end
        ]
        if len(edits) > 2:
            self.add("split", node, edits, [key])


def _parts(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """An argument, or where that is a list or tuple its elements."""
    if isinstance(node, (cst.List, cst.Tuple)):
        for element in node.elements:
            yield from _parts(element.value)
    else:
        yield node


def candidates(file: str, text: str) -> list[Place]:
    visitor = Candidates(file, text)
    MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True).visit(visitor)
    return visitor.places


Kinds = dict[tuple[int, int], set[str]]  # what the expressions of a file are, by their offsets


def claimed(file: str, roots: list[Source], folder: Path) -> Kinds:
    """What the model says of the expressions of a file."""
    kinds: Kinds = {}
    for each in Revealed(read_source(file), roots, Project(str(folder))).expressions:
        kinds.setdefault((each.start, each.end), set()).add(each.value.kind)
    return kinds


def observed(package: Package, folder: Path, seconds: float = SECONDS) -> dict[str, Kinds]:
    """What the expressions of each module were while the tests of the package ran, in the words of the model."""
    output = folder.with_name(f"{folder.name}.observed.json")
    oracle.observe(
        oracle.Package(package.name, Path(package.code).name, package.tests, package.path), folder, output, seconds
    )
    words = {"tracer": "traced", "array": "concrete"}
    found: dict[str, Kinds] = {}
    for run in json.loads(output.read_text(encoding="utf-8")):
        kinds = found.setdefault(os.path.relpath(run["file"], folder), {})
        for start, end, seen in run["facts"]:
            kinds.setdefault((start, end), set()).update(words.get(what, what) for what, *_ in seen)
    return found


def plantable(places: list[Place], claims: Kinds, seen: Kinds) -> list[Place]:
    """Those whose operand is a tracer, or for a store a jax array: as the model says, or as the tests show."""
    chosen = []
    for place in places:
        arrays = {"traced", "concrete"} if place.kind == "store" else {"traced"}
        # What `split` takes is a key.
        place.known = place.kind == "split" or any(claims.get(operand, set()) & arrays for operand in place.operands)
        if place.known or any(seen.get(operand, set()) & arrays for operand in place.operands):
            chosen.append(place)
    return chosen


def apart(places: list[Place]) -> list[Place]:
    """One place for each statement, so that each hazard stands by itself; rarer kinds first."""
    order = list(KINDS)
    order.sort(key=lambda kind: {"split": 0, "store": 1, "where": 2, "numpy": 3}[kind])
    chosen: list[Place] = []
    for place in sorted(places, key=lambda each: (order.index(each.kind), each.row)):
        if all(not place.rows & other.rows for other in chosen if other.file == place.file):
            chosen.append(place)
    return sorted(chosen, key=lambda each: (each.file, each.row))


# --- one package ------------------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    package: str
    version: str
    candidates: int = 0
    places: list[Place] = field(default_factory=list)
    tests_before: str = ""
    tests_after: str = ""
    others: list[str] = field(default_factory=list)  # differences that belong to no place


def run(package: Package, pin: sources.Pin, source: Path, work: Path) -> Outcome:
    outcome = Outcome(package.name, pin.version)
    original, planted = work / f"{pin.name}-original", work / f"{pin.name}-planted"
    for copy in (original, planted):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(source, copy)
    _plant(package, original, planted, outcome)
    _find(original, planted, outcome)
    fixing = _jaxlint(planted, "--fix", "--unsafe-fixes", "--output-format", "concise")
    if "taken back" in fixing.stderr:
        outcome.others += [line for line in fixing.stderr.splitlines() if "taken back" in line]
    _find(original, planted, outcome)  # what was hidden behind another one, and has no fix
    _jaxlint(original, "--fix", "--unsafe-fixes", "--output-format", "concise")  # what is fixed without planting
    _compare(original, planted, outcome)
    shutil.rmtree(original)
    shutil.copytree(source, original)
    outcome.tests_before, outcome.tests_after = _tests(package, original), _tests(package, planted)
    return outcome


def _plant(package: Package, original: Path, planted: Path, outcome: Outcome) -> None:
    here = os.getcwd()
    os.chdir(original)
    try:
        tests = [path for path in sorted(Path(".").rglob("*.py")) if _is_test(path)]
        modules = [path for path in sorted(Path(package.code).rglob("*.py")) if not _is_test(path)]
        seen = observed(package, original)
        for path in modules:
            text = path.read_text(encoding="utf-8")
            places = candidates(str(path), text)
            if not places:
                continue
            outcome.candidates += len(places)
            roots = [read_source(str(each)) for each in (*modules, *tests) if each != path and _imports(each, path)]
            try:
                chosen = apart(plantable(places, claimed(str(path), roots, original), seen.get(str(path), {})))
            except SourceError as error:
                outcome.others.append(str(error))
                continue
            if chosen:
                edits = sorted({edit for place in chosen for edit in place.edits}, reverse=True)
                for start, end, new in edits:
                    text = text[:start] + new + text[end:]
                if any(place.kind == "numpy" for place in chosen) and not re.search(
                    r"^import numpy as np$", text, re.MULTILINE
                ):
                    text = re.sub(
                        r"^(import jax\.numpy as jnp\n)", r"\1import numpy as np\n", text, count=1, flags=re.MULTILINE
                    )
                (planted / path).write_text(text, encoding="utf-8")
                outcome.places += chosen
    finally:
        os.chdir(here)


def _is_test(path: Path) -> bool:
    return (
        path.name.startswith("test_")
        or path.stem.endswith("_test")
        or "tests" in path.parts
        or path.name == "conftest.py"
    )


def _imports(path: Path, module: Path) -> bool:
    return re.search(rf"\b{re.escape(module.stem)}\b", path.read_text(encoding="utf-8")) is not None


def _jaxlint(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--select", ",".join(CODES), *options, "."]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)


def _find(original: Path, planted: Path, outcome: Outcome) -> None:
    """Which of the planted hazards are reported now."""
    reported: dict[str, set[tuple[int, str]]] = {}
    rows: dict[str, list[int]] = {}
    for each in json.loads(_jaxlint(planted, "--output-format", "json").stdout):
        name = os.path.relpath(planted / each["filename"], planted)
        if name not in rows:
            rows[name] = _rows_before(original / name, planted / name)
        reported.setdefault(name, set()).add((rows[name][each["location"]["row"] - 1], each["code"]))
    for place in outcome.places:
        codes = REPORTED[place.kind]
        first, last = place.region
        place.left = any(code in codes and first <= row <= last for row, code in reported.get(place.file, ()))
        place.found |= place.left


def _rows_before(original: Path, planted: Path) -> list[int]:
    """For each line of the planted file the row of the original at which it stands."""
    before, now = (path.read_text(encoding="utf-8").splitlines() for path in (original, planted))
    rows: list[int] = []
    for _, start, end, first, last in difflib.SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        rows += [min(start + number, max(end - 1, start)) + 1 for number in range(last - first)]
    return rows


def _compare(original: Path, planted: Path, outcome: Outcome) -> None:
    """What is left of each planted hazard, and what else differs from the original.

    What was not fixed is put back, so that the tests judge what was.
    """
    for name in sorted({place.file for place in outcome.places}):
        before = (original / name).read_text(encoding="utf-8").splitlines()
        after = (planted / name).read_text(encoding="utf-8").splitlines()
        here = [place for place in outcome.places if place.file == name]
        for place in here:
            place.mended = "as before"
            if place.kind == "split":  # other draws, but no two by one key
                place.mended = "as expected" if place.found and not place.left else "the key is used more than once"
        kept: list[str] = []
        for tag, start, end, first, last in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            kept += after[first:last]
            if tag == "equal" or after[first:last] == ["import numpy as np"] and tag == "insert":
                continue
            old, new = "\n".join(before[start:end]), "\n".join(after[first:last])
            touched = [place for place in here if _touches(place, start + 1, max(end, start + 1))]
            around = any(place.kind == "split" for place in touched)
            for place in touched:
                if place.kind != "split" and not (around and _squeezed(_own(place, before)) in _squeezed(new)):
                    place.mended = (
                        "as expected" if _expected(place, old, new) else f"{_one_line(old)}  ->  {_one_line(new)}"
                    )
            if any(not place.mended.startswith("as ") for place in touched):
                kept[len(kept) - (last - first) :] = before[start:end]
            if not touched:
                outcome.others.append(f"{name}:{start + 1}: {_one_line(old)}  ->  {_one_line(new)}")
        (planted / name).write_text("\n".join(kept) + "\n", encoding="utf-8")


def _touches(place: Place, first: int, last: int) -> bool:
    return place.region[0] <= last and first <= place.region[1]


def _own(place: Place, lines: list[str]) -> str:
    """The statement of a place."""
    return "\n".join(lines[place.statement[0] - 1 : place.statement[1]])


def _expected(place: Place, old: str, new: str) -> bool:
    """Whether a statement differs as the fix says that it may."""
    code = _squeezed(new).replace(".astype(x.dtype)", "")
    code = re.sub(r"\.astype\(\w+\.dtype\)", "", code)
    if code == _squeezed(old):
        return True
    return place.kind == "store" and ".at[" in new and not re.search(r"\]\s*[+*]?= ", new)


def _squeezed(text: str) -> str:
    return re.sub(r",(?=[)\]])", "", re.sub(r"\s+", "", text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _tests(package: Package, folder: Path) -> str:
    """The last line of the package's tests, without the time they took."""
    path = os.pathsep.join(filter(None, [str(folder / package.path), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu", "PYTHONDONTWRITEBYTECODE": "1"}
    files = [
        str(each.relative_to(folder))
        for name in package.tests
        for each in (sorted((folder / name).rglob("*.py")) if (folder / name).is_dir() else [folder / name])
        if "::" in name or _is_test(each) and each.name not in ("conftest.py", "__init__.py")
    ]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:asyncio",
        "--rootdir",
        str(folder),
        "--import-mode=importlib",
        *files,
    ]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, env=environment, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"not done in {SECONDS} s"
    lines = [line for line in done.stdout.splitlines() if re.search(r"\d+ (passed|failed|error)", line)]
    counts = re.findall(r"\d+ (?:passed|failed|errors?|skipped|xfailed)", lines[-1]) if lines else ["nothing was run"]
    failed = sorted(re.findall(r"^(?:FAILED|ERROR) \S*?([^/\s]+) ?", done.stdout, re.MULTILINE))
    return ", ".join(counts) + (f" ({', '.join(failed[:3])}{', …' if len(failed) > 3 else ''})" if failed else "")


# --- what is said -----------------------------------------------------------------------------------------------------

INTRODUCTION = """\
# Planted hazards

`python tests/ecosystem/planted.py --record` takes packages whose own tests run, and inverts fixes in a copy of each:

| kind | the authors' code | planted | rule |
|---|---|---|---|
| where | `jnp.where(x > 0, 1.0, x)` | `x.at[x > 0].set(1.0)` | JAX204 |
| numpy | `jnp.exp(x)` | `np.exp(x)` | JAX301 |
| store | `x = x.at[i].set(v)` | `x[i] = v`, `+=` and `*=` for `add` and `multiply` | JAX308 |
| split | `key, a = jax.random.split(key)` | `pass`, and `key` for `a` | JAX401, JAX402 |

*Candidates* are places where the code has the form. A hazard is planted where the value is traced (for stores: traced, or
a jax array): where it was a tracer in the package's own tests, which run with every expression recorded, or where the
model says so of the code as its authors wrote it. *Unknown to the model* are those that only the tests show; a hazard
there can hardly be found, and counts as missed. What `jax.random.split` takes is a key, so all of its calls are places.
Of the places in one statement one is taken. All are planted at once, and `jaxlint check --fix --unsafe-fixes` runs over the
copy. *Fixed* are those whose statement is again what it was (*as before*), or differs as the fix says (an added
`.astype(x.dtype)`); for keys, those of which the function is reported before the fixes and not after them. What was not
fixed is put back by hand. Then the tests of the package run on the original and on what jaxlint has made of the copy:
those named below, which take minutes.
"""


def page(outcomes: list[Outcome]) -> str:
    lines = [INTRODUCTION, f"Last run on {datetime.date.today().isoformat()}, jax {_version('jax')}.\n"]
    lines += [
        "| package | candidates | planted | unknown to the model | found | fixed | as before | tests before | tests after |"
    ]
    lines += ["|---|--:|--:|--:|--:|--:|--:|---|---|"]
    for each in outcomes:
        lines.append(
            f"| {each.package} {each.version} | {each.candidates} | {_counts(each.places)} | {each.tests_before} | {each.tests_after} |"
        )
    everything = [place for each in outcomes for place in each.places]
    lines.append(f"| all | {sum(each.candidates for each in outcomes)} | {_counts(everything)} | | |")
    for each in outcomes:
        names = ", ".join(f"`{name}`" for name in PACKAGES[each.package].tests)
        lines += ["", f"Tests of {each.package}: {names}."]
    lines += ["", "| kind | planted | unknown to the model | found | fixed | as before |", "|---|--:|--:|--:|--:|--:|"]
    for kind in KINDS:
        lines.append(f"| {kind} | {_counts([place for place in everything if place.kind == kind])} |")
    unknown = [
        (each, place)
        for each in outcomes
        for place in each.places
        if not (place.known or place.found or _is_fixed(place))
    ]
    if unknown:
        lines += [
            "",
            "## Missed, since the model does not know that the value is traced",
            "",
            "| package | file | lines |",
            "|---|---|---|",
        ]
        for (package, file), rows in groupby(unknown, key=lambda pair: (pair[0].package, pair[1].file)):
            lines.append(f"| {package} | {file} | {', '.join(str(place.row) for _, place in rows)} |")
    left = [
        (each, place)
        for each in outcomes
        for place in each.places
        if (place.known or place.found) and not _is_fixed(place)
    ]
    if left:
        lines += [
            "",
            "## Not fixed",
            "",
            "| package | place | kind | found | the code before and after, or why |",
            "|---|---|---|---|---|",
        ]
        for outcome, place in left:
            at = f"{place.file}:{place.row}"
            why = next((EXPLAINED[key] for key in EXPLAINED if key[0] == outcome.package and at.endswith(key[1])), None)
            shown = why or "`" + place.mended.replace("|", "\\|") + "`"
            lines.append(f"| {outcome.package} | {at} | {place.kind} | {'yes' if place.found else 'no'} | {shown} |")
    others = [f"- {each.package}: {line}" for each in outcomes for line in each.others]
    if others:
        lines += ["", "## Other differences", "", *others]
    return "\n".join(lines) + "\n"


def _is_fixed(place: Place) -> bool:
    return place.mended.startswith("as ")


def _counts(places: list[Place]) -> str:
    """Cells: planted, unknown to the model, found with their share, fixed, as before."""
    unknown = sum(not place.known for place in places)
    found = sum(place.found or _is_fixed(place) for place in places)
    share = f" ({100 * found / len(places):.1f} %)" if places else ""
    restored = sum(place.mended == "as before" for place in places)
    return f"{len(places)} | {unknown} | {found}{share} | {sum(map(_is_fixed, places))} | {restored}"


def _version(package: str) -> str:
    from importlib.metadata import version

    return version(package)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"some of {', '.join(PACKAGES)} (default: all)")
    parser.add_argument(
        "--folder", type=Path, default=sources.default_folder(), help="where sdists are kept (default: %(default)s)"
    )
    parser.add_argument("--work", type=Path, help="where the copies are made (default: a folder for temporary files)")
    parser.add_argument("--record", action="store_true", help="write docs/planted.md")
    args = parser.parse_args()
    unknown = set(args.packages) - set(PACKAGES)
    if unknown:
        parser.error(f"no plan for {', '.join(sorted(unknown))}; there is one for {', '.join(PACKAGES)}")
    pins = sources.pins()
    names = args.packages or list(PACKAGES)
    folders = sources.fetch([pins[name] for name in names], args.folder)
    work = args.work or Path(tempfile.mkdtemp(prefix="jaxlint-planted-"))
    outcomes = []
    for name in names:
        outcome = run(PACKAGES[name], pins[name], folders[name], work)
        outcomes.append(outcome)
        counts = Counter(place.kind for place in outcome.places)
        print(f"{name}: planted {dict(counts)}", file=sys.stderr, flush=True)
    text = page(outcomes)
    if args.record:
        PAGE.write_text(text, encoding="utf-8")
    print(text[len(INTRODUCTION) :])


if __name__ == "__main__":
    main()
