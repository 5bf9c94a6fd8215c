"""TOML as a linted tree may hold it: parsed within bounds, each error with its position.

The parser of the standard library (``tomllib``, ``tomli`` on Python 3.10) recurses once for each nested value and keeps
every prefix of a dotted key. The bounds here keep both small.
"""

from __future__ import annotations

import re
from typing import Any

MAX_BYTES = 4 * 2**20  # of a file of settings
MAX_PARTS = 64
_NAME = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
# A dotted key with more parts than anybody writes. The lookbehind starts each attempt at the start of a name, which keeps the
# search linear.
_LONG_KEY = rf"(?<![A-Za-z0-9_.-])(?:{_NAME}[ \t]{{0,9}}\.[ \t]{{0,9}}){{{MAX_PARTS}}}"


class TomlError(Exception):
    """A text that is not TOML, or is outside the bounds; ``row`` and ``column`` count from 1."""

    def __init__(self, message: str, row: int, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column


def parse(text: str) -> dict[str, Any]:
    """The document that ``text`` holds. Raises TomlError."""
    try:
        import tomllib
    except ImportError:  # Python 3.10
        import tomli as tomllib  # type: ignore[no-redef]
    long = re.search(_LONG_KEY, text)
    if long:
        row = text.count("\n", 0, long.start()) + 1
        raise TomlError(f"a key has more than {MAX_PARTS} parts", row, long.start() - text.rfind("\n", 0, long.start()))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        row, column = (int(where[1]), int(where[2])) if where else (text.count("\n") + 1, 1)
        raise TomlError(re.sub(r" \(at .*\)$", "", str(error)), row, column) from error
    except RecursionError:
        raise TomlError("tables or arrays are nested too deeply", _deepest_row(text)) from None
    except ValueError as error:  # an integer with more digits than Python converts
        digits = re.search(r"[0-9][0-9_]{4300}", text)
        row = text.count("\n", 0, digits.start()) + 1 if digits else 1
        raise TomlError("a number has too many digits", row) from error


def _deepest_row(text: str) -> int:
    """The row with the most opening brackets."""
    lines = text.split("\n")
    return max(range(len(lines)), key=lambda row: lines[row].count("[") + lines[row].count("{")) + 1
