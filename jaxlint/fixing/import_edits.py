"""Where the imports that a fix needs go, and how they are written there.

Only the head of a module is read: its statements down to the first function, class or loop. An
import there is bound before anything below it runs. Where a file imports a package in functions
alone, it does so to import it lazily, and the import goes into the function that needs it.
"""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jaxlint.configuration.options import LINE_LENGTH
from jaxlint.fixing.import_block import (
    FUTURE,
    STANDARD,
    Line,
    Order,
    below_first_comment,
    head_of,
    order_of,
    package_of,
    requests_of,
)
from jaxlint.source.cells import begins_cell
from jaxlint.source.diagnostic import Edit, ImportRequest
from jaxlint.source.relevance import tree_of
from jaxlint.source.text import Position, Source

_STRING = re.compile(r"[a-zA-Z]{0,2}[\"']")
_BLANK_ABOVE = re.compile(r"(?:\A|\r\n?|\n)[ \t]*(?:\r\n?|\n)\Z")
_BLANK_BELOW = re.compile(r"[ \t]*(?:\r\n?|\n)")


def resolve_imports(source: Source, requests: Iterable[ImportRequest], edits: Sequence[Edit] = ()) -> list[Edit]:
    """The edits that add what ``requests`` ask for; none where the file imports it all already.

    A name joins the statement that imports others from its module. A new statement goes next to the
    imports of its package, else in the order of its section. ``edits`` are those that need the imports: a statement
    that they change stays as they leave it.
    """
    wanted = set(requests)
    if not wanted:
        return []
    around = (min(edit.start for edit in edits), max(edit.end for edit in edits)) if edits else None
    limit = len(source.text) if around is None else around[0]
    head = _Head(source, [line for line in head_of(source.text) if line.start < limit])
    wanted -= head.imported
    added = []
    if around is not None:
        for package in {package_of(request.module) for request in wanted} - head.packages:
            lazy = {request for request in wanted if package_of(request.module) == package}
            edit = _lazy_import_edits(source, package, lazy, around)
            if edit is not None:
                wanted -= lazy
                added += edit
    return sorted([*added, *head.edits_to_add(wanted, edits)], key=lambda edit: edit.start)


class _Head:
    """The head of a module, and what is to be added to it."""

    def __init__(self, source: Source, lines: list[Line]) -> None:
        self.source = source
        self.text = source.text
        self.lines = lines
        self.imports = [line for line in lines if line.imported]
        self.imported = frozenset(request for line in self.imports for request in line.imported)
        self.packages = {package_of(request.module) for request in self.imported}

    def edits_to_add(self, wanted: set[ImportRequest], others: Sequence[Edit]) -> list[Edit]:
        """Edits that add the names to an existing `from` import of their module, or new statements in sort order."""
        edits = []
        by_offset: dict[int, list[tuple[Order, str, bool, bool]]] = {}
        for module in sorted({request.module for request in wanted}):
            named = {request for request in wanted if request.module == module and request.name is not None}
            plain = {request for request in wanted if request.module == module and request.name is None}
            free = (line for line in self.imports if not any(line.start <= each.start < line.end for each in others))
            existing = next((line for line in free if _can_extend(line, module)), None) if named else None
            if existing is not None:
                edits.append(_extend_import(self.source, existing, named))
                named = set()
            for order, statement in _render(plain | named):
                offset, blank_above, blank_below = self._place(order, module)
                by_offset.setdefault(offset, []).append((order, statement, blank_above, blank_below))
        for offset, statements in by_offset.items():
            statements.sort()
            lines: list[str] = []
            for at, (order, statement, *_) in enumerate(statements):
                if at and statements[at - 1][0][0] != order[0] and self._separates_sections:
                    lines.append("")
                lines.append(statement)
            edits.append(self._insert(offset, lines, statements[0][2], statements[-1][3]))
        return edits

    def _place(self, order: Order, module: str) -> tuple[int, bool, bool]:
        """Where a statement goes, and whether a blank line belongs above and below it."""
        same = [
            line for line in self.imports if package_of(module) in {package_of(each.module) for each in line.imported}
        ]
        if same:
            return self._among(same, order)
        runs = [run for run in self._runs() if any(line.order[0] != FUTURE for line in run)]
        if not runs:
            return self._below_docstring()
        # A library may depend on what statements between the imports set, such as `os.environ`.
        run = runs[0] if order[0] == STANDARD else runs[-1]
        section = [line for line in run if line.order[0] == order[0]]
        if section:
            return self._among(section, order)
        later = [line for line in run if line.order[0] > order[0]]
        if later:
            return self._above(later[0]), False, self._separates_sections
        return run[-1].end, self._separates_sections, False

    def _among(self, lines: list[Line], order: Order) -> tuple[int, bool, bool]:
        """The place in the order of the lines."""
        mixed = self._sorts_within_sections
        # A star import may shadow names imported above it.
        before = [
            line for line in lines if line.is_star or (line.order[2] <= order[2] if mixed else line.order <= order)
        ]
        if before:
            return before[-1].end, False, False
        return self._above(lines[0]), False, False

    def _above(self, line: Line) -> int:
        """The offset above a line and the comment that belongs to it; one that heads the file, or begins a cell, does not."""
        at = index = self.lines.index(line)
        while index and self.lines[index - 1].text.startswith("#") and not begins_cell(self.lines[index - 1].text):
            index -= 1
        return line.start if index == 0 else self.lines[min(at, index)].start

    def _runs(self) -> list[list[Line]]:
        """The imports, those with other statements between them apart."""
        runs: list[list[Line]] = [[]]
        for line in self.lines:
            if line.imported:
                runs[-1].append(line)
            elif not line.is_filler and runs[-1]:
                runs.append([])
        return [run for run in runs if run]

    @functools.cached_property
    def _separates_sections(self) -> bool:
        """Whether the file has blank lines between sections; a file of one section is taken to."""
        for run in self._runs():
            for above, below in itertools.pairwise(run):
                if above.order[0] != below.order[0]:
                    return bool(_BLANK_ABOVE.search(self.text[: self._above(below)]))
        return True

    @functools.cached_property
    def _sorts_within_sections(self) -> bool:
        """Whether the file sorts by module alone, and not ``import`` before ``from``."""
        for run in self._runs():
            for above, below in itertools.pairwise(run):
                if above.order[:2] > below.order[:2] and above.order[0] == below.order[0]:
                    return above.order[2] <= below.order[2]
        return False

    def _below_docstring(self) -> tuple[int, bool, bool]:
        future = [line for line in self.imports if line.order[0] == FUTURE]
        first = next((line for line in self.lines if not line.is_filler), None)
        if future:
            offset = future[-1].end
        elif first is not None and _STRING.match(first.text):
            offset = first.end
        else:
            offset = below_first_comment(self.text)
        return offset, offset > 0, True

    def _insert(self, offset: int, lines: list[str], blank_above: bool, blank_below: bool) -> Edit:
        text, newline = self.text, self.source.newline
        above = "" if offset == 0 or text[offset - 1] in "\r\n" else newline  # the last line may lack a line break
        if blank_above and not _BLANK_ABOVE.search(text[:offset]):
            above += newline
        rest = text[offset:]
        below = newline if blank_below and rest and not _BLANK_BELOW.match(rest) else ""
        return Edit(offset, offset, above + newline.join(lines) + newline + below)


def _render(requests: set[ImportRequest]) -> list[tuple[Order, str]]:
    """The statements that import what is requested of one module, with their place in the order."""
    written = []
    for request in sorted(requests, key=lambda each: each.alias or ""):
        if request.name is None:
            written.append((order_of(request), f"import {request.spelled}"))
    named = sorted((request for request in requests if request.name is not None), key=_by_name)
    if named:
        listed = ", ".join(each.spelled for each in named)
        written.append((order_of(named[0]), f"from {named[0].module} import {listed}"))
    return written


# --- a statement that imports from the module already --------------------------------------------


def _can_extend(line: Line, module: str) -> bool:
    """Whether names of the module can be written into the statement."""
    if len(line.statements) != 1 or "\\" in line.text:
        return False
    node = line.statements[0]
    if not isinstance(node, ast.ImportFrom) or node.level or node.module != module:
        return False
    if any(name.name == "*" for name in node.names):
        return False
    # A comment among the names belongs to one of them.
    return "#" not in line.text.rstrip().rpartition(")")[0] and "; " not in line.text


def _extend_import(source: Source, line: Line, requests: set[ImportRequest]) -> Edit:
    node = line.statements[0]
    assert isinstance(node, ast.ImportFrom)
    there = [ImportRequest(node.module or "", name.name, name.asname) for name in node.names]
    names = [*there, *sorted(requests, key=_by_name)]
    if there == sorted(there, key=_by_name):
        names.sort(key=_by_name)
    listed = [name.spelled for name in names]
    head = f"from {node.module} import "
    statement = ast.get_source_segment(line.text, node) or line.text.rstrip()
    behind = line.text[line.text.index(statement) + len(statement) :]
    newline = source.newline
    exploded = "(" in statement and bool(re.search(r",\s*\)\Z", statement))
    if exploded or len(head + ", ".join(listed)) > LINE_LENGTH:
        indent = match[1] if (match := re.search(r"[\r\n]([ \t]+)\S", statement)) else "    "
        written = f"{head}({newline}" + "".join(f"{indent}{name},{newline}" for name in listed) + ")"
    else:
        written = head + ", ".join(listed)
    return Edit(line.start, line.end, written + behind)


def _by_name(request: ImportRequest) -> tuple[int, str, str]:
    """The order of names in a statement: constants, classes, then the rest."""
    name = request.name or ""
    return 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2, name, request.alias or ""


# --- imports that stand in functions -------------------------------------------------------------


class _Function(NamedTuple):
    """A function whose body starts on a line of its own."""

    start: int
    end: int
    body: list[ast.stmt]


def _lazy_import_edits(
    source: Source, package: str, requests: set[ImportRequest], around: tuple[int, int]
) -> list[Edit] | None:
    """The edit in the function that needs a package; None where the file does not import it in functions alone."""
    at_top, in_functions, functions = _functions(source.text)
    if package in at_top or package not in in_functions:
        return None
    enclosing = [each for each in functions if each.start <= around[0] and around[1] <= each.end]
    enclosing.sort(key=lambda each: each.start, reverse=True)
    for function in enclosing:
        before = [node for node in function.body if _start(source, node) < around[0]]
        imports = [node for node in before if any(package_of(each.module) == package for each in requests_of(node))]
        if imports:
            return _in_body(source, imports[-1], requests - {each for node in imports for each in requests_of(node)})
    if not enclosing:
        return None
    first = enclosing[0].body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return _in_body(source, first, requests, below=documented)


def _in_body(source: Source, node: ast.stmt, requests: set[ImportRequest], below: bool = True) -> list[Edit]:
    if not requests:
        return []
    start = _start(source, node)
    indent = re.match(r"[ \t]*", source.text[start:])[0]  # type: ignore[index]
    modules = sorted({request.module for request in requests})
    written = [pair for module in modules for pair in _render({each for each in requests if each.module == module})]
    lines = [indent + statement for _, statement in sorted(written)]
    head = _Head(source, [])
    if not below:
        return [head._insert(start, [*lines, ""], False, False)]
    last = node.end_lineno or node.lineno
    end = source.offset(Position(last, 1)) + len(source.line(last))
    line_break = re.compile(r"\r\n?|\n").match(source.text, end)
    return [head._insert(line_break.end() if line_break else end, lines, False, False)]


def _start(source: Source, node: ast.stmt) -> int:
    """The offset of the line on which a statement begins, decorators included."""
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    return source.offset(Position(first, 1))


@functools.lru_cache(maxsize=4)
def _functions(text: str) -> tuple[frozenset[str], frozenset[str], tuple[_Function, ...]]:
    """Packages imported outside functions, packages imported in them, and the functions."""
    tree = tree_of(text)
    if tree is None:
        return frozenset(), frozenset(), ()
    source = Source.from_text(text, "")
    at_top: set[str] = set()
    inside: set[str] = set()
    functions: list[_Function] = []
    todo: list[tuple[ast.AST, bool]] = [(tree, False)]
    while todo:
        node, in_function = todo.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            (inside if in_function else at_top).update(package_of(each.module) for each in requests_of(node))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            in_function = True
            start = _start(source, node.body[0])
            if not source.line(node.body[0].lineno)[: node.body[0].col_offset].strip():
                last = node.end_lineno or node.lineno
                functions.append(_Function(start, source.offset(Position(last, 1)) + len(source.line(last)), node.body))
        todo += [(child, in_function) for child in ast.iter_child_nodes(node)]
    return frozenset(at_top), frozenset(inside), tuple(functions)
