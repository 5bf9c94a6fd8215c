"""Places in a document as the protocol counts them: lines from 0, and characters in units the client chooses."""

from __future__ import annotations

from lsprotocol import types

from jaxlint.source.text import Position, Source

# Code units of one code point, by encoding.
UTF8, UTF32 = types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf32


def units(text: str, encoding: str) -> int:
    """How many units of an encoding a text takes."""
    if encoding == UTF32:
        return len(text)
    if encoding == UTF8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


def code_points(text: str, count: int, encoding: str) -> int:
    """How many code points of a text come before ``count`` units; all of them where there are fewer."""
    if encoding == UTF32 or text.isascii():
        return min(count, len(text))
    for at, character in enumerate(text):
        count -= units(character, encoding)
        if count < 0:
            return at
    return len(text)


def to_client(position: Position, line: str, encoding: str) -> types.Position:
    """A position in a line as the client counts it."""
    return types.Position(position.row - 1, units(line[: position.column - 1], encoding))


def from_client(position: types.Position, source: Source, first: int, encoding: str) -> int:
    """Offset in a source of a client's position in a document that begins at row ``first`` of it."""
    row = first + position.line
    last = source.position(len(source.text))
    if row > last.row:
        return len(source.text)
    line = Source.line(source, row)
    return source.offset(Position(row, code_points(line, position.character, encoding) + 1))
