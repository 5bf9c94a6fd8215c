"""Jupyter notebooks: the code cells as one Python text, and the file with changed cells written back.

The text of a notebook is that of its Python cells in order, each below a marker line. What IPython alone
understands (magics, shell lines, help) stands in it behind a comment sign, so that the rest can be parsed;
``encode`` takes the signs away and puts each changed cell back in its place in the JSON, which is otherwise
left as it is, byte for byte: outputs, metadata, indentation, escapes.

Format: nbformat 4, https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import builtins
import codecs
import functools
import json
import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from keyword import iskeyword
from typing import Any

from jaxlint.source.relevance import is_plain_python
from jaxlint.source.text import Place, Position, Source, SourceError, parse

# A character for private use: no text of a notebook has it, so whatever stands before it is ours.
_OURS = "\ue000"
_MARKER = re.compile(rf"# %% {_OURS}(?P<indent>[ \t]*)\n")
_STATEMENT = f"pass  # {_OURS}"
_VALUE = f"get_ipython()  # {_OURS}"
_BLOCK = f"if get_ipython():  # {_OURS}"
_LINE = f"# {_OURS}"
_BARE = f"# {_OURS}{_OURS}"  # a line that stands as it is, whatever the indentation of its cell
_MASK = re.compile(
    rf"(?:pass  |\w[\w, ]* = get_ipython\(\)  (?=# {_OURS}{_OURS})|get_ipython\(\)  |if get_ipython\(\):  )?# {_OURS}{_OURS}?"
)

# Magics of which the rest, or the cell, is Python that runs in the notebook's own namespace.
_PYTHON = frozenset("time timeit capture prun memit mprun lprun snakeviz scalene wandb debug".split())
# Line magics with arguments, which IPython runs without `%` if they are a whole cell. Source: `%lsmagic` of IPython.
_AUTOMAGIC = frozenset(
    "alias cat cd conda config cp debug edit env history ldir less load load_ext ls ll logstart magic mamba man matplotlib mkdir"
    " more mv notebook pdb pip prun psource pushd pycat pylab reload_ext reset rm rmdir run save set_env sx system time timeit"
    " unload_ext uv who whos xmode".split()
)

_ESCAPED = re.compile(r"[!?%,;]|/[^\s]")
_FOREIGN_VALUE = re.compile(r"[ \t]*(?=!|%[ \t]*[^\W\d])")
_HELP = re.compile(r"%{0,2}(?!\d)[\w*]+(?:\.(?!\d)[\w*]+|\[-?\d+\])*\?\??\s*\Z")
_CELL_MAGIC = re.compile(r"%%(?!\w+\?)[ \t]*(?P<name>\w*)(?P<rest>.*)")
_LINE_MAGIC = re.compile(r"%(?P<name>\w+)(?P<rest>.*)")
_PROMPT = re.compile(r"[ \t]*(?:>>>|(?:\[(?:nav|ins)\] )?In \[\d+\]: |\.{3,}:)", re.MULTILINE)
_TOKEN = re.compile(
    r"""(?P<comment>\#.*)|(?P<triple>\"{3}|'{3})|(?P<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<assign>(?<![=!<>+\-*/%&|^@:])=(?!=))"""
)
_STRIPPED = re.compile(r"""#.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""")
_IMPORT = re.compile(r"(?:from|import)[ \t].*")
_ASSIGNED = re.compile(
    r"\b([^\W\d]\w*)[ \t]*(?::[^=,()]*)?(?:,[\w*, \t]*|[-+*/%&|^@])?=(?!=)|\b(?:def|class|as|for)[ \t]+(\w+)"
)
_WALRUS = re.compile(r"\b([^\W\d]\w*)[ \t]*(:=)")
_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_SCALAR = re.compile(rf"{_STRING}|[^\s,\]}}]+")
_BRACKET = re.compile(rf"{_STRING}|[{{}}\[\]]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SPACE = re.compile(r"[ \t\r\n]*")
_ROW = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among all cells from 1, its source, and where the source stands in the file."""

    number: int
    source: str
    start: int  # offsets of the JSON value in the decoded file
    end: int
    # Whether the next output, its own or of a later cell, is an error, and the notebook goes on behind it.
    shows_error: bool = False

    @functools.cached_property
    def indent(self) -> str:
        """The indentation that all lines have, which IPython takes away."""
        return _margin(line for line in self.source.split("\n") if line.strip())

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines without that indentation, of which lines of white space have less."""
        indent = self.indent
        lines = self.source.split("\n")
        return [
            line[len(indent) :] if line.startswith(indent) and line != indent else _BARE + line if line else ""
            for line in lines
        ]

    @functools.cached_property
    def python(self) -> str:
        """The source below its marker, fit for the parser."""
        masked = _masked(self.lines)
        if _is_automagic(self.source):
            name, rest = self.source.split(maxsplit=1)
            masked[0] = _stand_in(masked[0], name, rest)
        return self.below_marker(masked)

    def below_marker(self, lines: Iterable[str]) -> str:
        return f"# %% {_OURS}{self.indent}\n" + "\n".join(lines) + ("\n" if self.source else "")

    def without_code(self, known: frozenset[str]) -> str:
        """The cell with nothing in it but imports: it cannot be read, and no one knows what it leaves in its variables.

        Of the names in it, those that are ``known`` to be modules or builtins stay what they are unless it assigns them.
        """
        imports = {line for line in self.lines if _IMPORT.match(line) and is_plain_python(line)}
        code = _STRIPPED.sub(" ", "\n".join(line for line in self.lines if line not in imports))
        assigned = {name for pair in _ASSIGNED.findall(code) for name in pair}
        names = [
            name
            for name in dict.fromkeys(_WORD.findall(code))
            if not iskeyword(name) and (name in assigned or name not in known)
        ]
        made = []
        for line in self.lines:
            if line in imports:
                made.append(line)
            elif names and line and not line.startswith(_BARE):
                made.append(f"{', '.join(names)} = {_VALUE}{_OURS}{line}")
                names = []
            else:
                made.append(_commented(line))
        return self.below_marker(made)


class Notebook(Source):
    """A notebook as a source. Raises SourceError where the file is no notebook that can be read.

    A cell that is neither Python nor what IPython understands is one of its ``errors``, and its code is left out of the text.
    """

    __slots__ = ("file", "cells", "rows", "errors")

    def __init__(self, filename: str, raw: bytes) -> None:
        bom = raw.startswith(codecs.BOM_UTF8)
        try:
            self.file = raw[len(codecs.BOM_UTF8) if bom else 0 :].decode("utf-8")
        except UnicodeDecodeError as error:
            raise SourceError(f"the notebook is not UTF-8 (byte {error.start}); save it again", filename) from error
        self.cells = list(_code_cells(self.file, filename))
        parts = [cell.python for cell in self.cells]
        wrong: dict[int, SourceError] = {}
        if not is_plain_python("".join(parts)):
            mistakes = ((at, _mistake(part, filename)) for at, part in enumerate(parts))
            wrong = {at: mistake for at, mistake in mistakes if mistake is not None}
            known = _imported(parts) | frozenset(dir(builtins))
            for at in wrong:
                parts[at] = self.cells[at].without_code(known)
        super().__init__(filename, raw, "".join(parts), "utf-8", bom)
        self.rows = [1]  # of the marker of each cell
        for part in parts:
            self.rows.append(self.rows[-1] + part.count("\n"))
        self.rows.pop()
        self.errors = tuple(
            SourceError(error.message, filename, self.rows[at] + error.row - 1, error.column)
            for at, error in wrong.items()
            if not _PROMPT.search(self.cells[at].source)  # which IPython takes away
        )

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

    def shows_error(self, row: int) -> bool:
        """Whether the notebook holds on purpose the error that a row of the text raises."""
        at = bisect_right(self.rows, row) - 1
        return at >= 0 and self.cells[at].shows_error

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
        lines = (piece.removesuffix("\n")).split("\n")
        indent = marker["indent"]
        found.append(
            "\n".join(
                "" if not line else _MASK.sub("", line) if line.startswith(_BARE) else indent + _MASK.sub("", line)
                for line in lines
            )
        )
    return found


def _mistake(part: str, filename: str) -> SourceError | None:
    """Why the text of a cell cannot be read; None where it can."""
    if not is_plain_python(part):
        try:
            parse(Source.from_text(part, filename))
        except SourceError as error:
            return error
    return None


def _imported(parts: Iterable[str]) -> frozenset[str]:
    """Names that imports at the top of cells seem to bind."""
    lines = [line for part in parts for line in part.split("\n") if _IMPORT.match(line)]
    return frozenset(word for line in lines for word in _WORD.findall(line))


def _code_cells(file: str, filename: str) -> Iterator[Cell]:
    try:
        # A number may be too long for Python, and none has a bearing.
        content = json.loads(file, parse_int=lambda digits: 0)
    except json.JSONDecodeError as error:
        message = f"the notebook is not JSON: {error.msg}; open it with Jupyter and save it again"
        raise SourceError(message, filename, error.lineno, error.colno) from error
    except RecursionError:
        raise SourceError("the notebook nests too deeply to be read", filename) from None
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        is_old = isinstance(content, dict) and "worksheets" in content
        reason = "has the format of nbformat 3" if is_old else "holds no cells"
        raise SourceError(f"the notebook {reason}; convert it with `jupyter nbconvert --to notebook`", filename)
    if _language(content) != "python":
        return
    shown = _shown_errors(content["cells"])
    for number, (cell, spans) in enumerate(zip(content["cells"], _spans_of_cells(file)), 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code" and "source" in spans:
            source = cell["source"]
            lines = source if isinstance(source, list) else [source]
            if all(isinstance(line, str) and _OURS not in line for line in lines):
                yield Cell(number, "".join(lines), *spans["source"], shown[number - 1])


def _shown_errors(cells: list[Any]) -> list[bool]:
    """For each cell, whether the next output, its own or a later cell's, is an error, and a cell behind that was run."""
    found: list[bool] = []
    is_error = goes_on = False
    for cell in reversed(cells):
        cell = cell if isinstance(cell, dict) else {}
        outputs = cell.get("outputs")
        outputs = outputs if isinstance(outputs, list) else []
        kinds = [each.get("output_type") for each in outputs if isinstance(each, dict)]
        if kinds:
            is_error = "error" in kinds and goes_on
        goes_on |= bool(kinds) or cell.get("execution_count") is not None
        found.append(is_error)
    return found[::-1]


def _language(content: dict[str, Any]) -> str:
    metadata = content.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    for name, field in (("language_info", "name"), ("kernelspec", "language")):
        about = metadata.get(name)
        named = about.get(field) if isinstance(about, dict) else None
        if isinstance(named, str):
            return named.lower().replace("ipython", "python").rstrip("0123456789")
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
    ascii_only = (old.isascii() and "\\u" in old) or _SURROGATE.search(source) is not None
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
    between = "," + (opening or " ")
    return "[" + opening + between.join(lines) + closing + "]"


# --- what IPython alone understands -----------------------------------------------------------


def _commented(line: str) -> str:
    return line if not line or line.startswith(_BARE) else _LINE + line


def _is_automagic(source: str) -> bool:
    """Whether a cell is a line magic without its `%`, as in `cd ..`: one line that starts with its name and is not Python."""
    words = source.split(maxsplit=1)
    is_one_line = len(words) == 2 and len(source.splitlines()) == 1
    return is_one_line and words[0] in _AUTOMAGIC and not is_plain_python(source.strip())


def _masked(lines: list[str]) -> list[str]:
    """The lines with everything that is not Python behind comment signs."""
    first = next((at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), 0)
    magic = _CELL_MAGIC.match(lines[first]) if lines else None  # Colab lets comments such as `#@title` stand above it
    if magic is not None:
        if magic["name"] not in _PYTHON:
            return list(map(_commented, lines))
        return [
            *lines[:first],
            *_below_magic(lines[first + 1 :], _stand_in(lines[first], magic["name"], magic["rest"]), lines[first]),
        ]
    masked: list[str] = []
    while len(masked) < len(lines):
        masked += _statement(lines, len(masked))
    return masked


def _below_magic(lines: list[str], stand_in: str, magic: str) -> list[str]:
    """A cell magic and the Python code below it, which may be indented as a whole."""
    code = [line for line in lines if line.strip() and not line.startswith(_BARE)]
    indent = _margin(code)
    body = _masked([line.removeprefix(indent) if line in code else line and _commented(line) for line in lines])
    if not indent:
        return [stand_in, *body]
    if any(line and not line.startswith("#") for line in body):
        stand_in = _BLOCK + magic
    return [stand_in, *(line if not line or line.startswith(_BARE) else indent + line for line in body)]


def _margin(lines: Iterable[str]) -> str:
    """The indentation that all of these lines have."""
    return os.path.commonprefix([line[: len(line) - len(line.lstrip(" \t"))] for line in lines])


def _stand_in(code: str, name: str, rest: str) -> str:
    """A line that is no Python, with what it does to variables: `%time x = f()`, `%%capture out`."""
    names = []
    if name == "capture":
        names = [word for word in rest.split() if word.isidentifier()]
    elif name in _PYTHON and not code.startswith("%%"):
        pairs = [*_ASSIGNED.findall(_outside_brackets(rest)), *_WALRUS.findall(rest)]
        names = [name for pair in pairs for name in pair if name.isidentifier() and not iskeyword(name)]
    return f"{', '.join(dict.fromkeys(names))} = {_VALUE}{_OURS}{code}" if names else _STATEMENT + code


def _outside_brackets(code: str) -> str:
    """A line without what stands in brackets, such as the arguments of a call, and without strings."""
    depth, outside = 0, []
    for part in re.split(r"([()\[\]{}])", _STRIPPED.sub("", code)):
        if part in ("(", "[", "{"):
            depth += 1
        elif part in (")", "]", "}"):
            depth = max(0, depth - 1)
        elif not depth:
            outside.append(part)
    return " ".join(outside)


def _statement(lines: list[str], at: int) -> list[str]:
    """The lines of the statement that begins at a line, masked where it is not Python."""
    code = lines[at].lstrip(" \t\f")
    indent = lines[at][: len(lines[at]) - len(code)]
    if _ESCAPED.match(code):
        magic = _LINE_MAGIC.match(code)
        stand_in = _STATEMENT + code if magic is None else _stand_in(code, magic["name"], magic["rest"])
        return [indent + stand_in, *_rest_of_command(lines, at)]
    depth, inside, assigned = 0, "", False
    for row in range(at, len(lines)):
        line = lines[row]
        position = 0
        token = None
        if inside:
            position = _closing(line, inside, 0)
            if position < 0:
                continue
            inside = ""
        while (token := _TOKEN.search(line, position)) is not None and token["comment"] is None:
            position = token.end()
            if token["triple"]:
                end = _closing(line, token["triple"], position)
                if end < 0:
                    inside = token["triple"]
                    break
                position = end
            elif token["assign"] and not depth and not assigned:
                assigned = True
                value = _FOREIGN_VALUE.match(line, position)
                if value is not None:
                    written = line[: value.end()] + _VALUE + line[value.end() :]
                    return [*lines[at:row], written, *_rest_of_command(lines, row)]
            elif token["open"]:
                depth += 1
            elif token["close"]:
                depth = max(0, depth - 1)
        if not depth and not inside and (token is not None or not _goes_on(line)):
            break
    end = row + 1
    if token is None and not inside and _HELP.search("\n".join(lines[at:end])):
        return [indent + _STATEMENT + code, *map(_commented, lines[at + 1 : end])]
    return lines[at:end]


def _goes_on(line: str) -> bool:
    return line.rstrip("\r").endswith("\\")


def _rest_of_command(lines: list[str], at: int) -> Iterator[str]:
    """The lines with which a command goes on that begins in a line."""
    while _goes_on(lines[at]) and at + 1 < len(lines):
        at += 1
        yield _commented(lines[at])


def _closing(line: str, quotes: str, at: int) -> int:
    """Where a triple-quoted string ends in a line; -1 where it goes on."""
    end = re.compile(rf"(?:\\.|(?!{quotes}).)*?{quotes}").match(line, at)
    return end.end() if end is not None else -1
