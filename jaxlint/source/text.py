"""A source file: its bytes, its text, its positions, and the tree the parser makes of it.

All arithmetic between bytes, code points, rows and columns is here. Offsets count code points of
the decoded text, the byte order mark left out. Rows end at ``\\n``, ``\\r\\n`` or a lone ``\\r``, as
they do for Python.
"""

from __future__ import annotations

import codecs
import gc
import os
import re
import stat
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from jaxlint.source.limits import MAX_CHARACTERS
from jaxlint.source.relevance import encodable, python_tree

if TYPE_CHECKING:
    import ast

    import libcst

_P = ParamSpec("_P")
_T = TypeVar("_T")

NOTEBOOK = ".ipynb"
MAX_BYTES = 256 * 2**20  # notebooks hold pictures

# Words, half a megabyte. The chunk is the next power of two, so as much again is left for the frames of calls.
_FRAME = 1 << 16

# Compiled where they are first used: a file that is skipped needs none of them.
_COOKIE = rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)"
_BLANK = rb"^[ \t\f]*(?:#.*)?$"
_NEWLINE = r"\r\n?|\n"
# A form feed at the start of a line starts the indentation anew, which is what a line break does.
_FORM_FEED = r"(?:\A|(?<=[\r\n]))[ \t]*\f[ \t\f]*"
_LONE_RETURN = r"\r(?!\n)"


class Position(NamedTuple):
    """1-based row and column in code points."""

    row: int
    column: int


class Place(NamedTuple):
    """A position as it is told: the cell of the notebook, if it is one, and the position in it."""

    cell: int | None
    position: Position


class SourceError(Exception):
    """A file that cannot be read, decoded or parsed; says where, and what to do about it."""

    def __init__(self, message: str, filename: str, row: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.filename = filename
        self.row = row
        self.column = column

    def __str__(self) -> str:
        return f"{self.filename}:{self.row}:{self.column}: {self.message}"

    def __reduce__(self) -> Any:
        return type(self), (self.message, self.filename, self.row, self.column)


class Unreadable(SourceError):
    """A file or folder that the operating system does not let be read, or that is too large."""


def read_bytes(filename: str) -> bytes:
    """What a file holds. Raises Unreadable."""
    try:
        mode = os.stat(filename).st_mode
        if stat.S_ISFIFO(mode):  # opened, it waits for whoever writes
            raise Unreadable("a pipe is not read; write its content to a file", filename)
        if stat.S_ISDIR(mode):
            with os.scandir(filename) as listed:
                next(listed, None)
        with open(filename, "rb") as file:
            status = os.fstat(file.fileno())
            # A device may have no end.
            whole = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BYTES
            raw = file.read() if whole else file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        what = "folder" if os.path.isdir(filename) else "file"
        raise Unreadable(f"cannot read the {what}: {reason}; check its path and permissions", filename) from error
    if len(raw) > MAX_BYTES:
        raise Unreadable(f"the file has more than {MAX_BYTES >> 20} MiB; exclude it", filename)
    return raw


class Source:
    """The text of one file, with what it takes to write it back byte for byte."""

    __slots__ = ("filename", "raw", "text", "encoding", "bom", "_starts")
    errors: tuple[SourceError, ...] = ()  # mistakes in parts that are left out of the text: cells of a notebook

    def shows_error(self, row: int) -> bool:
        """Whether the file holds on purpose the error that a row raises, as cells of a notebook do."""
        return False

    def __init__(self, filename: str, raw: bytes, text: str, encoding: str, bom: bool) -> None:
        self.filename: str = filename
        self.raw: bytes = raw
        self.text: str = text
        self.encoding: str = encoding
        self.bom: bool = bom
        self._starts: list[int] | None = None

    @classmethod
    def from_bytes(cls, raw: bytes, filename: str) -> Source:
        """Decode as Python does: byte order mark, then the coding comment (PEP 263), then UTF-8. Raises SourceError."""
        bom = raw.startswith(codecs.BOM_UTF8)
        body = raw[len(codecs.BOM_UTF8) :] if bom else raw
        if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise SourceError("the file is UTF-16, which Python cannot read; save it as UTF-8", filename)
        encoding, row = _declared_encoding(body, filename)
        if bom and encoding != "utf-8":
            raise SourceError(
                f"the byte order mark says UTF-8 and the coding comment says {encoding!r}; remove one of them",
                filename,
                row,
            )
        try:
            text = body.decode(encoding)
        except UnicodeDecodeError as error:
            before = body[: error.start].decode(encoding, "replace")
            raise SourceError(
                f"byte 0x{body[error.start]:02x} is not valid in {encoding}; save the file as UTF-8, "
                "or name its encoding in a comment on the first line (`# -*- coding: latin-1 -*-`)",
                filename,
                *_row_and_column(before),
            ) from error
        except UnicodeError as error:  # of codecs that do not say where, such as punycode
            raise SourceError(f"the file is not valid in {encoding}; save it as UTF-8", filename, row) from error
        return cls(filename, raw, text, encoding, bom)

    @classmethod
    def from_text(cls, text: str, filename: str) -> Source:
        """A source that exists as text already, such as an editor's buffer; UTF-8 if it is written."""
        bom = text.startswith("\ufeff")
        text = text[1:] if bom else text
        raw = text.encode("utf-8", "surrogatepass")
        return cls(filename, codecs.BOM_UTF8 + raw if bom else raw, text, "utf-8", bom)

    def encode(self, text: str) -> bytes:
        """``text`` in this file's encoding, with its byte order mark. Raises SourceError."""
        try:
            body = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise SourceError(
                f"{text[error.start]!r} cannot be written in {self.encoding}; save the file as UTF-8",
                self.filename,
                *_row_and_column(text[: error.start]),
            ) from error
        return codecs.BOM_UTF8 + body if self.bom else body

    def called(self, filename: str) -> Source:
        """This source under another name."""
        from copy import copy

        source = copy(self)
        source.filename = filename
        return source

    @property
    def newline(self) -> str:
        """The line break to write new lines with: the one that ends the first."""
        first = re.search(_NEWLINE, self.text)
        return first[0] if first else "\n"

    def position(self, offset: int) -> Position:
        """Row and column of an offset; the end of the text has a position too."""
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"offset {offset} is outside {self.filename}")
        row = bisect_right(self._line_starts(), offset)
        return Position(row, offset - self._line_starts()[row - 1] + 1)

    def offset(self, position: Position) -> int:
        """Offset of a position. Raises ValueError for a row or column that the text does not have."""
        starts = self._line_starts()
        if not 1 <= position.row <= len(starts):
            raise ValueError(f"{self.filename} has no row {position.row}")
        offset = starts[position.row - 1] + position.column - 1
        end = starts[position.row] if position.row < len(starts) else len(self.text) + 1
        if not starts[position.row - 1] <= offset < end:
            raise ValueError(f"row {position.row} of {self.filename} has no column {position.column}")
        return offset

    def tree_span(self, node: ast.expr | ast.stmt | ast.alias) -> tuple[int, int]:
        """Start and end of a node of Python's tree."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._tree_offset(node.lineno, node.col_offset), self._tree_offset(node.end_lineno, node.end_col_offset)

    def _tree_offset(self, row: int, column: int) -> int:
        """Offset of a place whose column counts bytes of UTF-8."""
        before = Source.line(self, row).encode("utf-8", "surrogatepass")[:column]
        return self._line_starts()[row - 1] + len(before.decode("utf-8", "surrogatepass"))

    def line(self, row: int) -> str:
        """Text of a row without its line break; empty for a row the text does not have."""
        starts = self._line_starts()
        if not 1 <= row <= len(starts):
            return ""
        end = starts[row] if row < len(starts) else len(self.text)
        return self.text[starts[row - 1] : end].rstrip("\r\n")

    def place(self, position: Position) -> Place:
        """Where a position is for a person, which in a notebook is in one of its cells."""
        return Place(None, position)

    def file_row(self, row: int) -> int:
        """The row of the file on disk in which a row of the text stands."""
        return row

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = [0, *(match.end() for match in re.finditer(_NEWLINE, self.text))]
        return self._starts


def _declared_encoding(body: bytes, filename: str) -> tuple[str, int]:
    """Name of the encoding the text is in, and the row that says so."""
    if b"coding" not in body[:4096]:
        return "utf-8", 1
    for row, line in enumerate(re.split(rb"\r\n?|\n", body[:4096], maxsplit=2)[:2], 1):
        match = re.match(_COOKIE, line)
        if match:
            name = match[1].decode("ascii", "replace")
            try:
                codec = codecs.lookup(name)
            except LookupError:
                codec = None
            if codec is None or not getattr(codec, "_is_text_encoding", True):
                raise SourceError(
                    f"unknown encoding {name!r} in the coding comment; name one that Python has, such as utf-8",
                    filename,
                    row,
                    match.start(1) + 1,
                )
            return "utf-8" if codec.name in ("utf-8", "utf-8-sig") else codec.name, row
        if not re.match(_BLANK, line):
            break
    return "utf-8", 1


def _row_and_column(before: str) -> tuple[int, int]:
    """Position of what follows ``before``."""
    breaks = list(re.finditer(_NEWLINE, before))
    return len(breaks) + 1, len(before) - (breaks[-1].end() if breaks else 0) + 1


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Room on the Python stack for walking any tree that ``parse`` returns."""
    limit = sys.getrecursionlimit()
    # The pre-scan bounds how deep a tree is; a walk takes a few frames for each level of it.
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def in_one_stack_chunk(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Run a function, and what it calls, on a stretch of the Python stack of its own.

    Python keeps its frames in chunks of 16 KB, and each call that passes the end of one maps the next and gives it back as it
    returns, again and again where the recursion stands at that end. A frame that needs a larger chunk has the rest of it below.
    """

    def run(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        return function(*args, **kwargs)

    run.__code__ = run.__code__.replace(co_stacksize=_FRAME)
    return wraps(function)(run)


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage within this: trees and IR are many objects and no garbage, and looking takes half the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _readable(text: str) -> str:
    """``text`` as the parser is to see it: of equal length, with what it drops or misreads replaced."""
    from jaxlint.source.literal_elision import shortened

    text = encodable(shortened(text))
    if "\f" in text:
        text = re.sub(_FORM_FEED, lambda match: match[0].replace("\f", "\n"), text)
    if "\r" in text:
        text = re.sub(_LONE_RETURN, "\n", text)
    return text


Spans = Sequence[tuple[int, int] | None]  # of nodes: where they start and end in the text


def parse(source: Source) -> libcst.Module:
    """The tree of a source. Raises SourceError for what cannot be parsed.

    The grammar is that of the newest Python libCST knows, whatever interpreter runs this.
    """
    from jaxlint.source.lexer import find_excess
    from jaxlint.source.literal_elision import shortened

    text = shortened(source.text)
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(
            f"the source has more than {MAX_CHARACTERS:,} characters; move its data to another file, or exclude it",
            source.filename,
        )
    excess = find_excess(text)
    if excess is not None:
        offset, message = excess
        position = source.position(offset)
        raise SourceError(message, source.filename, position.row, position.column)
    import libcst

    try:
        with uncollected():
            return libcst.parse_module(_readable(source.text))
    except libcst.ParserSyntaxError as error:
        raise _syntax_error(source, error.message) from None
    except libcst.CSTValidationError as error:  # valid Python now and then, such as `return(x if c else y)`
        raise _syntax_error(source, str(error)) from None
    except BaseException as error:
        # A panic of the native parser derives from BaseException directly.
        if type(error).__name__ == "PanicException":
            raise _syntax_error(source, str(error)) from None
        raise


def _syntax_error(source: Source, reported: str) -> SourceError:
    """What to say about a text the parser refuses.

    Python's own parser gives the better message and, for errors of the tokenizer, the only position.
    Where it accepts the text, the text is right and libCST does not know the syntax yet.
    """
    try:
        with deep_recursion():
            python_tree(source.text)
    except SyntaxError as error:
        row, column, message = error.lineno or 1, error.offset or 1, error.msg
        lines = len(source._line_starts())
        row, column = min(max(row, 1), lines), max(column, 1)
        from jaxlint.source.literal_elision import shortened

        short = shortened(source.text)
        if short is not source.text:  # in which the rows have other lengths where something is left out
            with suppress(ValueError):
                row, column = source.position(Source.from_text(short, "").offset(Position(row, column)))
        return SourceError(f"syntax error: {message}", source.filename, row, column)
    except (ValueError, RecursionError, MemoryError):
        pass
    where = re.search(r"error at (\d+):(\d+)", reported)
    row, column = (int(where[1]), int(where[2]) + 1) if where else (1, 1)
    return SourceError(
        f"libCST cannot parse this ({reported}); exclude the file, or try a newer libcst", source.filename, row, column
    )


def spans(module: libcst.Module, nodes: Sequence[libcst.CSTNode | None], text: str) -> list[tuple[int, int] | None]:
    """Start and end offset of each node in the text it was parsed from; None for None.

    Parentheses around an expression and white space that means nothing are left out. Raises
    SourceError when the tree does not give back the text, as positions would be wrong then.
    """
    wanted = (id(node) for node in nodes if node is not None)
    state = _recorder_class()(module, wanted)
    try:
        with deep_recursion():
            module._codegen(state)
    except RecursionError:
        # CPython 3.12.0 and 3.12.1 bound how deep calls through C may nest, whatever limit is set.
        row, column = _row_and_column("".join(state.tokens))
        raise SourceError(
            "the expression nests too deeply for this version of Python; split it, or use a newer Python",
            "",
            row,
            column,
        ) from None
    generated = "".join(state.tokens)
    expected = _readable(text)
    if generated.rstrip() != expected.rstrip():  # libCST keeps one of the blank lines before an end without a newline
        same = next(
            (i for i, (a, b) in enumerate(zip(generated, expected)) if a != b), min(len(generated), len(expected))
        )
        raise SourceError(
            "libCST does not give back this line as it was written, so findings in the file cannot be "
            "placed; look for unusual white space",
            "",
            *_row_and_column(text[:same]),
        )
    found: dict[int, tuple[int, int]] = state.found
    return [None if node is None else found.get(id(node)) for node in nodes]


@cache
def _recorder_class() -> Any:
    """The class that records spans; made on first use, because it derives from one of libCST."""
    from libcst._nodes.internal import CodegenState

    class Recorder(CodegenState):
        """Collects the generated code, and where in it the wanted nodes start and end.

        Rows and columns, which libCST's own provider keeps for every node, cost several parses.
        """

        __slots__ = ("length", "found", "_wanted", "_started")

        def __init__(self, module: libcst.Module, wanted: Iterable[int]) -> None:
            super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
            self.length = 0
            self.found: dict[int, tuple[int, int]] = {}
            self._wanted = set(wanted)
            self._started: list[int] = []

        def add_indent_tokens(self) -> None:
            for token in self.indent_tokens:
                self.tokens.append(token)
                self.length += len(token)

        def add_token(self, value: str) -> None:
            self.tokens.append(value)
            self.length += len(value)

        def pop_trailing_newline(self) -> None:
            if self.tokens:
                self.length -= len(self.tokens.pop())

        def before_codegen(self, node: libcst.CSTNode) -> None:
            if id(node) in self._wanted:
                self._started.append(self.length)

        def after_codegen(self, node: libcst.CSTNode) -> None:
            if id(node) in self._wanted:
                # Nodes that record no position of their own have no white space to leave out.
                self.found.setdefault(id(node), (self._started.pop(), self.length))

        # libCST names the class of its own context managers as the result, which is more than it needs.
        def record_syntactic_position(  # type: ignore[override]
            self, node: Any, *, start_node: Any = None, end_node: Any = None
        ) -> AbstractContextManager[None]:
            if id(node) not in self._wanted:
                return _NOTHING
            return self._record(node, start_node, end_node)

        @contextmanager
        def _record(self, node: Any, start_node: Any, end_node: Any) -> Iterator[None]:
            # A position may be borrowed from a child, which comes after and so can still be asked for.
            self._wanted.update(id(child) for child in (start_node, end_node) if child is not None)
            start = self.length
            yield
            end = self.length
            start = self.found[id(start_node)][0] if id(start_node) in self.found else start
            end = self.found[id(end_node)][1] if id(end_node) in self.found else end
            self.found[id(node)] = (start, end)

    return Recorder


_NOTHING: AbstractContextManager[None] = nullcontext()
