"""From the frames of a traceback to the lines of the user's files, and to what the linter reports there."""

from __future__ import annotations

import ast
import contextlib
import os
import re
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.configuration.config import Configs
from jaxlint.configuration.discovery import repository
from jaxlint.explain.quoted import Quoted, cell_of, quoted, traced
from jaxlint.explain.traceback import Frame, Raised
from jaxlint.source.diagnostic import Category, Diagnostic
from jaxlint.source.files import leads_out
from jaxlint.source.libraries import OF_JAX
from jaxlint.source.reading import read_source
from jaxlint.source.relevance import tree_of
from jaxlint.source.text import Position, Source, SourceError

if TYPE_CHECKING:
    from jaxlint.run.pipeline import Result

# Where Python and installed packages lie, whatever the system is that the traceback comes from.
_NOT_THE_USERS = re.compile(
    r"[\\/](?:site-packages|dist-packages)[\\/]|[\\/]lib[\\/]python3\.\d+[\\/]|[\\/]Python3\d+[\\/]Lib[\\/]"
    rf"|[\\/](?:{'|'.join(OF_JAX)})[\\/]_src[\\/]",
    re.IGNORECASE,
)
_STANDARD = os.path.join(sysconfig.get_paths()["stdlib"], "")
# JAX's messages name lines of the user: where a function was traced, where a leaked value was made.
_IN_MESSAGE = re.compile(r"(?:\bat|\bon line) (\S[^\n]*?\.py):(\d{1,9})(?::\d+)?(?: \(([^)\n]*)\))?")


@dataclass(frozen=True)
class Place:
    """A line of a file that can be read: ``row`` is where the line is now."""

    filename: str
    row: int
    function: str | None = None
    origin: str = "frame"  # or "message": JAX's message names it; "operation": JAX's note on where an operation stands
    moved: bool = False  # the file has changed since, and the line stands elsewhere
    stale: bool = False  # the file has changed since, and the line is gone


@dataclass(frozen=True)
class Match:
    """What the linter reports, and how it lies to the place that the traceback names."""

    how: str  # "line", "statement", "function" or "file"
    place: Place
    findings: Sequence[Diagnostic]


def is_users(frame: Frame) -> bool:
    """Whether a frame is in code that belongs neither to Python nor to an installed package."""
    name = frame.filename
    if cell_of(name)[1] is not None:
        return True
    return not (name.startswith(("<", _STANDARD)) or _NOT_THE_USERS.search(name))


def readable_roots(configs: Configs) -> list[str]:
    """The working directory and the folder of its project: that of its configuration, or of its Git repository."""
    here = os.getcwd()
    config = configs.for_folder(here)
    project = config.root if config.path is not None else repository(here)
    return [here] if project is None else [here, project]


class Files:
    """The files that frames are of: as they are here or, where they cannot be read, as the traceback quotes them.

    Anybody may have written the traceback: of the files that it names only those below ``roots`` are opened.
    ``unopened`` lists the others that exist.
    """

    def __init__(self, frames: Iterable[Frame] = (), roots: Sequence[str] = ()) -> None:
        self.roots = roots
        self.unopened: list[str] = []
        self.quoted = quoted(frame for frame in frames if is_users(frame) and self.file(frame) is None)

    def read(self, filename: str) -> Source:
        """Raises SourceError."""
        return self.quoted[filename] if filename in self.quoted else read_source(filename)

    def is_missing(self, frame: Frame) -> bool:
        return self.file(frame) is None

    def file(self, frame: Frame) -> str | None:
        """The file of a frame; where it was on another machine, the one with the same end of its path below here."""
        path = frame.filename
        if os.path.isfile(path):
            if self._may_open(path):
                return path
            if path not in self.unopened:
                self.unopened.append(path)
            return None
        parts = path.replace("\\", "/").split("/")
        for at in range(1, len(parts)):
            below, code = os.path.join(*parts[at:]), frame.code or ""
            # Many files are called `train.py`: the line must be there as well.
            if code and os.path.isfile(below) and self._may_open(below):
                if any(_same(line, code) for line in _lines(below)):
                    return below
        return None

    def _may_open(self, path: str) -> bool:
        return any(not leads_out(path, root) for root in self.roots)

    def told(self, place: Place) -> tuple[int | None, int]:
        """The cell of a place, if it is in one, and the row as the traceback numbers it."""
        source = self.quoted.get(place.filename)
        if source is None:
            return None, place.row
        cell, at = source.place(Position(place.row, 1))
        return cell, at.row

    def place(self, frame: Frame, origin: str) -> Place | None:
        filename = self.file(frame)
        if filename is not None:
            return _place(filename, frame, origin)
        name, cell = cell_of(frame.filename)
        row = self.quoted[name].row_of(cell, frame.row) if name in self.quoted else None
        return None if row is None else Place(name, row, frame.function, origin)


def places(raised: Raised, connected: Sequence[Raised], files: Files) -> list[Place]:
    """The lines of the user, the likeliest first: frames from the inside out, then what JAX says beside them.

    ``connected`` are the exceptions that belong to the one that was raised, the nearest last.
    """
    found = [files.place(frame, "frame") for frame in dict.fromkeys(reversed(raised.frames)) if is_users(frame)]
    for path, row, function in _IN_MESSAGE.findall(raised.message):
        frame = Frame(path, int(row), function or None)
        if is_users(frame):
            found.append(files.place(frame, "message"))
    for other in reversed(connected):
        origin = "operation" if other.is_bookkeeping else "frame"
        found += [files.place(frame, origin) for frame in dict.fromkeys(reversed(other.frames)) if is_users(frame)]
    order = ("frame", "message", "operation")
    readable = sorted((place for place in found if place is not None), key=lambda place: order.index(place.origin))
    return list(dict.fromkeys(readable))


def _place(filename: str, frame: Frame, origin: str) -> Place:
    lines = _lines(filename)
    row = frame.row
    if frame.code is None or (row <= len(lines) and _same(lines[row - 1], frame.code)):
        return Place(filename, row, frame.function, origin, stale=row > len(lines))
    moved = [at for at, line in enumerate(lines, start=1) if _same(line, frame.code)]
    if not moved:
        return Place(filename, row, frame.function, origin, stale=True)
    return Place(filename, min(moved, key=lambda at: abs(at - row)), frame.function, origin, moved=True)


def _lines(filename: str) -> list[str]:
    try:
        return read_source(filename).text.split("\n")
    except SourceError:
        return []


def _same(line: str, code: str) -> bool:
    return "".join(line.split()) == "".join(code.split())


@dataclass
class Findings:
    """What the linter reports in some files when they are analysed together, as one run of ``check`` does it.

    The rules that can explain the error run even where the configuration leaves them to those who ask for them, and
    ``noqa`` comments silence nothing: whoever has a traceback has more than a suspicion.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)

    def at(self, place: Place, rows: tuple[int, int]) -> list[Diagnostic]:
        """Findings of the place's file that lie in some of its rows."""
        return [
            each for each in self.diagnostics
            if _same_file(each.filename, place.filename) and each.start.row <= rows[1] and each.end.row >= rows[0]
        ]  # fmt: skip


def lint(filenames: Sequence[str], codes: Sequence[str], files: Files, configs: Configs) -> Findings:
    """Lint files under the configuration found for each; what is quoted, under that of the working directory."""
    from jaxlint.project.resolver import Loader
    from jaxlint.run.pipeline import check_root

    found = Findings()
    results: list[Result] = []
    for filename in filenames:
        config = configs.for_file(os.curdir if filename in files.quoted else filename)
        config = config._replace(preview=True, extend_select=(*config.extend_select, *codes))
        try:
            results.append(check_root(files.read(filename), config, Loader(config.project), noqa=False))
        except SourceError:
            continue
    seen: set[tuple[str, str, object]] = set()
    for result in results:
        # What fails in a module because of how it is called stands there if the traceback leads there, too.
        elsewhere = [
            each.diagnostic if any(_same_file(each.diagnostic.filename, name) for name in filenames) else each.call
            for each in result.elsewhere
        ]
        for each in [*result.diagnostics, *elsewhere]:
            key = (each.code, os.path.realpath(each.filename), each.start)
            if key not in seen:
                seen.add(key)
                found.diagnostics.append(_of_quote(each, files.quoted.get(each.filename)))
                for name in (each.filename, *(step.filename for step in each.related)):
                    if name not in found.sources:
                        found.sources[name] = files.read(name)
    found.diagnostics.sort(key=lambda each: each.sort_key)
    return found


def _of_quote(diagnostic: Diagnostic, source: Quoted | None) -> Diagnostic:
    """A finding without what its fix does to the imports, where these are no more than supposed."""
    if source is None or diagnostic.fix is None:
        return diagnostic
    edits = tuple(edit for edit in diagnostic.fix.edits if edit.start >= source.head)
    return replace(diagnostic, fix=replace(diagnostic.fix, edits=edits))


def rules_of_line(code: str, codes: Sequence[str], configs: Configs) -> list[str]:
    """Those of ``codes`` that report a line, of which it is known that something in it is traced."""
    from jaxlint.project.resolver import Loader
    from jaxlint.run.pipeline import check_root

    made = traced(code)
    if made is None:
        return []
    config = configs.for_file(os.curdir)._replace(preview=True, extend_select=tuple(codes))
    found = check_root(made[0], config, Loader(config.project), noqa=False).diagnostics
    return list(dict.fromkeys(each.code for each in found if each.code in codes and each.start.row == made[1]))


def match(at: Sequence[Place], codes: Sequence[str], found: Findings, certain: bool, files: Files) -> Match | None:
    """The findings that explain best why an exception was raised that the rules ``codes`` are about.

    First what stands at one of the lines and is of such a rule; then such a rule in one of the functions, or any
    failure at the innermost line, the former first where the exception is ``certain`` to be one of these rules; then
    such a rule elsewhere in one of the files.
    """
    layouts = {place.filename: _Layout(place.filename, files) for place in at}
    sound = [place for place in at if not place.stale]
    for place in sound:
        statement = layouts[place.filename].statement(place.row)
        for how, rows in (("line", (place.row, place.row)), ("statement", statement)):
            related = _related(found.at(place, rows), codes)
            if related:
                return Match(how, place, related)
    nearby = _in_function(at, codes, found, layouts)
    failing = _failing(sound[0], found, layouts) if sound else None
    for each in (nearby, failing) if certain else (failing, nearby):
        if each is not None:
            return each
    for place in at:
        related = _related(found.at(place, (1, 10**9)), codes)
        if related:
            return Match("file", place, related)
    return None


def _in_function(
    at: Sequence[Place], codes: Sequence[str], found: Findings, layouts: dict[str, _Layout]
) -> Match | None:
    for place in at:
        function = layouts[place.filename].function(place.row)
        related = _related(found.at(place, function), codes) if function else []
        if related:
            return Match("function", place, related)
    return None


def _failing(place: Place, found: Findings, layouts: dict[str, _Layout]) -> Match | None:
    """Whatever fails at a line, of any rule."""
    findings = found.at(place, layouts[place.filename].statement(place.row))
    failing = [each for each in findings if each.category in (Category.FAILS, Category.WRONG)]
    return Match("statement", place, failing) if failing else None


def _related(findings: Sequence[Diagnostic], codes: Sequence[str]) -> list[Diagnostic]:
    return [each for each in findings if each.code in codes]


def _same_file(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


class _Layout:
    """The rows of statements and functions of a file. A file that does not parse has lines alone."""

    def __init__(self, filename: str, files: Files) -> None:
        self.nodes: list[ast.AST] = []
        with contextlib.suppress(SourceError):
            tree = tree_of(files.read(filename).text)
            self.nodes = [] if tree is None else list(ast.walk(tree))

    def statement(self, row: int) -> tuple[int, int]:
        """First and last row of the innermost statement at a row; of a compound one its head."""
        spans = [span for node in self.nodes for span in _head(node) if span[0] <= row <= span[1]]
        return min(spans, key=lambda span: span[1] - span[0], default=(row, row))

    def function(self, row: int) -> tuple[int, int] | None:
        """First and last row of the innermost function at a row, its decorators included; None outside of functions."""
        spans = [
            (min([node.lineno, *(each.lineno for each in node.decorator_list)]), node.end_lineno or node.lineno)
            for node in self.nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]  # fmt: skip
        around = [span for span in spans if span[0] <= row <= span[1]]
        return min(around, key=lambda span: span[1] - span[0], default=None)


def _head(node: ast.AST) -> Iterator[tuple[int, int]]:
    if not isinstance(node, ast.stmt):
        return
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        yield node.lineno, node.end_lineno or node.lineno
        return
    first = body[0].pattern.lineno if isinstance(body[0], ast.match_case) else body[0].lineno
    yield node.lineno, max(node.lineno, first - 1)
