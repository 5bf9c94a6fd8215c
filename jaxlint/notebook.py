"""Jupyter notebooks: the code cells as one Python text, and the file with changed cells written back.

The text of a notebook is that of its Python cells in order, each below a marker line. What IPython alone
understands (magics, shell lines, help) stands in it behind a comment sign, so that the rest can be parsed;
``encode`` takes the signs away and puts each changed cell back in its place in the JSON, which is otherwise
left as it is, byte for byte: outputs, metadata, indentation, escapes.

Format: nbformat 4, https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import codecs
import functools
import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Iterator, Optional

from jaxlint.source import Place, Position, Source, SourceError

# A character for private use: no text of a notebook has it, so whatever stands before it is ours.
_OURS = "\ue000"
_MARKER = re.compile(rf"# %% {_OURS}(?P<indent>[ \t]*)\n")
_STATEMENT = f"pass  # {_OURS}"
_VALUE = f"get_ipython()  # {_OURS}"
_LINE = f"# {_OURS}"
_MASK = re.compile(rf"(?:pass  |get_ipython\(\)  )?# {_OURS}")

# Cell magics of which the cell is Python that runs in the notebook's own namespace.
_PYTHON_CELLS = frozenset("time timeit capture prun memit mprun lprun snakeviz scalene wandb debug".split())

_MAGIC = re.compile(r"[ \t]*(?:[%!?]|[,;/](?=\w))|[ \t]*[\w.*]+\?{1,2}[ \t]*$")
_ASSIGNED = re.compile(r"([ \t]*[\w.]+(?:[ \t]*,[ \t]*[\w.]+)*[ \t]*=[ \t]*)(?=[%!](?![=]))")
_TOKEN = re.compile(
    r"""(?P<comment>\#.*)|(?P<triple>\"{3}|'{3})|(?P<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])""",
)
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_SCALAR = re.compile(rf"{_STRING}|[^\s,\]}}]+")
_BRACKET = re.compile(rf"{_STRING}|[{{}}\[\]]")
_SPACE = re.compile(r"[ \t\r\n]*")
_ROW = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among all cells from 1, its source, and where the source stands in the file."""

    number: int
    source: str
    start: int  # offsets of the JSON value in the decoded file
    end: int

    @functools.cached_property
    def indent(self) -> str:
        """The indentation that all lines have, which IPython takes away."""
        lines = self.source.split("\n")
        indent = lines[0][: len(lines[0]) - len(lines[0].lstrip(" \t"))]
        return indent if all(line.startswith(indent) and line != indent for line in lines if line) else ""

    @property
    def python(self) -> str:
        """The source below its marker, fit for the parser."""
        indent = self.indent
        lines = [line[len(indent) :] for line in self.source.split("\n")]
        return f"# %% {_OURS}{indent}\n" + _masked("\n".join(lines)) + ("\n" if self.source else "")


class Notebook(Source):
    """A notebook as a source. Raises SourceError where the file is no notebook that can be read."""

    __slots__ = ("file", "cells", "rows")

    def __init__(self, filename: str, raw: bytes) -> None:
        bom = raw.startswith(codecs.BOM_UTF8)
        try:
            self.file = raw[len(codecs.BOM_UTF8) if bom else 0 :].decode("utf-8")
        except UnicodeDecodeError as error:
            raise SourceError(f"the notebook is not UTF-8 (byte {error.start}); save it again", filename) from error
        self.cells = list(_code_cells(self.file, filename))
        parts = [cell.python for cell in self.cells]
        super().__init__(filename, raw, "".join(parts), "utf-8", bom)
        self.rows = [1]  # of the marker of each cell
        for part in parts:
            self.rows.append(self.rows[-1] + part.count("\n"))
        self.rows.pop()

    def encode(self, text: str) -> bytes:
        """The file with the cells that ``text`` holds. Raises SourceError."""
        sources = unmasked(text)
        if len(sources) != len(self.cells):
            raise SourceError("the cells of the notebook cannot be told apart any more", self.filename)
        parts: list[str] = []
        done = 0
        for cell, source in zip(self.cells, sources):
            if source != cell.source:
                parts += (self.file[done : cell.start], _rewritten(self.file, cell, source))
                done = cell.end
        parts.append(self.file[done:])
        body = "".join(parts).encode("utf-8")
        return codecs.BOM_UTF8 + body if self.bom else body

    def place(self, position: Position) -> Place:
        """The cell of a position, and row and column in that cell."""
        at = bisect_right(self.rows, position.row) - 1
        if at < 0:
            return Place(None, position)
        cell = self.cells[at]
        return Place(cell.number, Position(max(1, position.row - self.rows[at]), position.column + len(cell.indent)))

    def file_row(self, row: int) -> int:
        """The row of the file in which a row of the text stands; that of the whole cell where it is one string."""
        at = bisect_right(self.rows, row) - 1
        if at < 0:
            return 1
        cell = self.cells[at]
        first = self.file.count("\n", 0, cell.start) + 1
        if self.file[cell.start] != "[":
            return first
        inside = row - self.rows[at] - 1
        for start, end in _items(self.file, cell.start):
            rows = json.loads(self.file[start:end]).count("\n")
            if inside < max(1, rows):
                return self.file.count("\n", 0, start) + 1
            inside -= rows
        return first

    def line(self, row: int) -> str:
        """A row as it stands in its cell; empty for a marker."""
        text = super().line(row)
        return "" if _MARKER.match(text + "\n") else _MASK.sub("", text)


def unmasked(text: str) -> list[str]:
    """The sources of the cells that the text of a notebook holds, as they are written in it."""
    markers = list(_MARKER.finditer(text))
    ends = [marker.start() for marker in markers[1:]] + [len(text)]
    found = []
    for marker, end in zip(markers, ends):
        piece = text[marker.end() : end]
        lines = _MASK.sub("", piece[:-1] if piece.endswith("\n") else piece).split("\n")
        found.append("\n".join(marker["indent"] + line if line else line for line in lines))
    return found


def _code_cells(file: str, filename: str) -> Iterator[Cell]:
    try:
        content = json.loads(file)
    except json.JSONDecodeError as error:
        message = f"the notebook is not JSON: {error.msg}; open it with Jupyter and save it again"
        raise SourceError(message, filename, error.lineno, error.colno) from error
    except RecursionError:
        raise SourceError("the notebook nests too deeply to be read", filename) from None
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        reason = "has the format of nbformat 3" if isinstance(content, dict) and "worksheets" in content else "holds no cells"
        raise SourceError(f"the notebook {reason}; convert it with `jupyter nbconvert --to notebook`", filename)
    if _language(content) != "python":
        return
    for number, (cell, spans) in enumerate(zip(content["cells"], _spans_of_cells(file)), 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code" and "source" in spans:
            source = cell["source"]
            lines = source if isinstance(source, list) else [source]
            if all(isinstance(line, str) and _OURS not in line for line in lines):
                yield Cell(number, "".join(lines), *spans["source"])


def _language(content: dict[str, Any]) -> str:
    metadata = content.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    for name, field in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(name)
        if isinstance(about, dict) and isinstance(about.get(field), str):
            return about[field].lower().replace("ipython", "python").rstrip("0123456789")
    return "python"


# --- the JSON ---------------------------------------------------------------------------------


def _spans_of_cells(file: str) -> Iterator[dict[str, tuple[int, int]]]:
    """For each cell the offsets of its values by name. The JSON is known to be right."""
    (cells,) = [start for key, start, _ in _members(file, _skip(file, 0)) if key == "cells"][-1:]
    for start, _ in _items(file, cells):
        yield {key: (first, last) for key, first, last in _members(file, start)} if file[start] == "{" else {}


def _members(file: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Name, start and end of each member of the object at ``at``."""
    at = _skip(file, at + 1)
    while file[at] != "}":
        key, at = scanstring(file, at + 1)
        start = _skip(file, _skip(file, at) + 1)
        end = _end(file, start)
        yield key, start, end
        at = _next(file, end)


def _items(file: str, at: int) -> Iterator[tuple[int, int]]:
    """Start and end of each item of the array at ``at``."""
    at = _skip(file, at + 1)
    while file[at] != "]":
        end = _end(file, at)
        yield at, end
        at = _next(file, end)


def _end(file: str, at: int) -> int:
    """Where the value at ``at`` ends."""
    if file[at] not in "{[":
        value = _SCALAR.match(file, at)
        assert value is not None
        return value.end()
    depth = 0
    for token in _BRACKET.finditer(file, at):
        depth += (token[0] in "{[") - (token[0] in "}]")
        if not depth:
            return token.end()
    raise AssertionError("the brackets of JSON that was parsed are closed")


def _skip(file: str, at: int) -> int:
    space = _SPACE.match(file, at)
    assert space is not None
    return space.end()


def _next(file: str, end: int) -> int:
    """Where the next member or item begins, or the bracket that closes."""
    at = _skip(file, end)
    return _skip(file, at + 1) if file[at] == "," else at


def _rewritten(file: str, cell: Cell, source: str) -> str:
    """The JSON of a changed source, in the form the file has it in; lines that stay keep their very text."""
    old = file[cell.start : cell.end]
    ascii_only = old.isascii() and "\\u" in old
    if not old.startswith("["):
        return json.dumps(source, ensure_ascii=ascii_only)
    items = [file[start:end] for start, end in _items(file, cell.start)]
    written = {json.loads(item): item for item in items}
    lines = [written.get(line) or json.dumps(line, ensure_ascii=ascii_only) for line in _ROW.findall(source)]
    if not lines:
        return "[]"
    first = _SPACE.match(old, 1)
    opening = first[0] if first is not None and items else ""
    closing = old[len(old[:-1].rstrip(" \t\r\n")) : -1] if items else ""
    between = "," + (opening if opening else " ")
    return "[" + opening + between.join(lines) + closing + "]"


# --- what IPython alone understands -----------------------------------------------------------


def _masked(source: str) -> str:
    """``source`` with everything that is not Python behind comment signs, line for line."""
    lines = source.split("\n")
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%"):
        name = re.match(r"%%[ \t]*(\w*)", first)
        if name is None or name[1] not in _PYTHON_CELLS:
            return "\n".join(_LINE + line for line in lines)
    masked = []
    depth, inside = 0, ""  # open brackets, and the quotes of a string that goes on
    python = shell = False  # whether this line goes on with a statement, or with a shell command
    for line in lines:
        foreign = None if python else _foreign(line, shell)
        masked.append(line if foreign is None else foreign)
        shell = foreign is not None and line.endswith("\\")
        if foreign is None:
            depth, inside = _state(line, depth, inside)
            python = bool(depth or inside or line.endswith("\\"))
    return "\n".join(masked)


def _foreign(line: str, continued: bool) -> Optional[str]:
    """A line that is not Python, masked; None for one that is."""
    if continued or line.startswith("%%"):
        return _LINE + line
    assigned = _ASSIGNED.match(line)
    if assigned is not None:
        return assigned[1] + _VALUE + line[assigned.end() :]
    if _MAGIC.match(line) is None:
        return None
    code = line.lstrip(" \t")
    return line[: len(line) - len(code)] + _STATEMENT + code


def _state(line: str, depth: int, inside: str) -> tuple[int, str]:
    """How many brackets are open at the end of a line, and which triple quotes."""
    at = 0
    if inside:
        end = _closing(line, inside, 0)
        if end < 0:
            return depth, inside
        at = end
    while True:
        token = _TOKEN.search(line, at)
        if token is None or token["comment"] is not None:
            return depth, ""
        at = token.end()
        if token["triple"]:
            end = _closing(line, token["triple"], at)
            if end < 0:
                return depth, token["triple"]
            at = end
        elif token["open"]:
            depth += 1
        elif token["close"]:
            depth = max(0, depth - 1)


def _closing(line: str, quotes: str, at: int) -> int:
    """Where a triple-quoted string ends in a line; -1 where it goes on."""
    end = re.compile(rf"(?:\\.|(?!{quotes}).)*?{quotes}").match(line, at)
    return end.end() if end is not None else -1
